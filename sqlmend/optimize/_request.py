"""What a tuning is asked to do, and what comes of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark
    from sqlmend.models import LanguageModel
    from sqlmend.programs import RepairProgram
    from sqlmend.retrievers import Embedder


@dataclass(frozen=True)
class TuneRequest:
    """What a tuning is asked to do.

    Attributes:
        program: The program whose settings are searched; it stays as it is.
        train: The questions that trials are judged by.
        lm: The language model.
        out: Folder of the trials' runs, which may be deleted afterwards.
        holdout: Questions that no trial sees, asked of the program as it is and of the best; None: none.
        embedder: Embeds queries and entries; needed where the program reads a memory.
        space: Changes of the space, see ``build_space``.
        objectives: ``ex``, or ``ex`` and ``tokens`` for a Pareto front.
        trials: How many trials the study shall have.
        orders: The stream orders; each trial replays all of them.
        storage: Address of Optuna's storage, None: the study ends with this process.
        seed: Base seed of the draws.
        definition: Definition of execution accuracy; None: that of the training benchmark.
        timeout_s: Seconds for each query.
        resume: Go on with a study, or take part in one that runs.
        selection: How the questions were selected, for the record.
        holdout_selection: How the held-out questions were selected, for the record.
    """

    program: RepairProgram
    train: Benchmark
    lm: LanguageModel
    out: Path
    holdout: Benchmark | None = None
    embedder: Embedder | None = None
    space: Mapping[str, Any] | None = None
    objectives: tuple[str, ...] = ("ex",)
    trials: int = 60
    orders: tuple[int, ...] = (0,)
    storage: str | None = None
    seed: int = 0
    definition: str | None = None
    timeout_s: float = 30.0
    resume: bool = False
    selection: Mapping[str, Any] = field(default_factory=dict)
    holdout_selection: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.trials < 1:
            raise InputError("bad_trials", f"a study has at least one trial; got {self.trials}")
        if not self.orders or len(set(self.orders)) < len(self.orders) or min(self.orders) < 0:
            raise InputError("bad_orders", f"orders are distinct numbers from 0; got {list(self.orders)}")
        if self.lm.memo is None:
            raise InputError(
                "no_memo",
                "tuning asks the same prompts again and again and needs a memo of answers",
                hint="give the language model a memo: load_lm(..., memo=Memo(folder))",
            )
        if self.program.reads_memory and not self.program.writes_memory:
            raise InputError(
                "nothing_remembered",
                f"{self.program.preset.name} reads a memory that none of its steps writes, and every trial"
                " starts with an empty one: no setting of a recall would change anything",
                hint="tune a program that remembers; --what-if says what settings do with a given memory",
            )

    @property
    def judged_by(self) -> str:
        """The one definition that training and held-out questions are judged by."""
        return self.definition or self.train.definition


@dataclass(frozen=True)
class Tuned:
    """What came of it.

    Attributes:
        program: The program with the best settings found; the student's own where nothing beat them.
        result: The document of the study, see ``result_document``.
        preset: The best program as a preset file holds it.
    """

    program: RepairProgram
    result: Mapping[str, Any]
    preset: Mapping[str, Any]
