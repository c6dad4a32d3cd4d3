"""The tuner as a DSPy optimizer."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dspy
from dspy.teleprompt import Teleprompter

from sqlmend.errors import InputError
from sqlmend.optimize._questions import chosen
from sqlmend.optimize._request import TuneRequest
from sqlmend.optimize._space import read_space
from sqlmend.optimize._tune import tune

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark
    from sqlmend.programs import RepairProgram
    from sqlmend.retrievers import Embedder

_log = logging.getLogger(__name__)


class RetrievalTuner(Teleprompter):
    """Tunes what a repair program recalls against the execution accuracy of its causal stream.

    Args:
        benchmark: Where the training questions are from; it alone can have them judged.
        metric: ``ex``, or ``ex,tokens`` for a Pareto front, whose member of the highest EX is returned.
        space: Changes of the space that the settings declare, or a YAML file of them.
        trials: Trials of the study.
        storage: ``sqlite:///FILE`` or ``postgresql://...``; None: the study ends with ``compile``.
        seed: Base seed of the draws.
        holdout: Where the questions of ``valset`` are from; None: the same benchmark.
        embedder: Embeds queries and entries; a name for ``get_embedder``, or an embedder.
        orders: Stream orders; each trial replays all of them.
        definition: Definition of execution accuracy; None: that of ``benchmark``, for ``holdout`` as well.
        timeout_s: Seconds for each query.
        out: Folder of the trials' runs, ``best.yaml`` and ``result.json``; None: they are not kept.
        resume: Go on with the study in ``storage``, or take part while another process runs it.

    Attributes:
        result: The study of the last ``compile`` in numbers and words (``result["words"]``, which are logged
            as well: as warnings unless the gain is separated from zero); None before.
    """

    def __init__(
        self,
        *,
        benchmark: Benchmark,
        metric: str = "ex",
        space: Mapping[str, Any] | Path | str | None = None,
        trials: int = 60,
        storage: str | None = None,
        seed: int = 0,
        holdout: Benchmark | None = None,
        embedder: Embedder | str = "minilm",
        orders: Sequence[int] = (0,),
        definition: str | None = None,
        timeout_s: float = 30.0,
        out: Path | str | None = None,
        resume: bool = False,
    ) -> None:
        super().__init__()
        self.benchmark = benchmark
        self.metric = metric
        self.space = read_space(Path(space)) if isinstance(space, str | Path) else space
        self.trials = trials
        self.storage = storage
        self.seed = seed
        self.holdout = holdout
        self.embedder = embedder
        self.orders = tuple(orders)
        self.definition = definition
        self.timeout_s = timeout_s
        self.out = out
        self.resume = resume
        self.result: dict[str, Any] | None = None

    def compile(
        self,
        student: RepairProgram,
        *,
        trainset: list[dspy.Example],
        teacher: RepairProgram | None = None,
        valset: list[dspy.Example] | None = None,
    ) -> RepairProgram:
        """Search the settings of ``student`` and return a copy of it with the best ones.

        Args:
            student: The program; it stays as it is.
            trainset: Questions by ``question_id``, see ``as_examples``; no reference is in them.
            teacher: Not used: there is nobody to imitate.
            valset: Held-out questions, asked once after the search; None: nothing is held out.

        Returns:
            The program with the best settings found; ``result`` says what they are worth.

        Raises:
            InputError: A question, the space or the study is not valid, training and held-out questions
                share a group, no language model is configured, or the student has one of its own.
            SqlmendError: A failure that every further question would meet.
        """
        from sqlmend.models import as_language_model
        from sqlmend.retrievers import get_embedder

        _refuse_own_lm(student)
        if dspy.settings.lm is None:
            raise InputError("no_lm", "no language model is configured", hint="dspy.configure(lm=...)")
        embedder = get_embedder(self.embedder) if isinstance(self.embedder, str) else self.embedder
        with ExitStack() as stack:
            train = stack.enter_context(chosen(self.benchmark, trainset, "trainset"))
            held_out = None
            if valset is not None:
                held_out = stack.enter_context(chosen(self.holdout or self.benchmark, valset, "valset"))
            out = Path(self.out or stack.enter_context(tempfile.TemporaryDirectory(prefix="sqlmend-tune-")))
            tuned = tune(
                TuneRequest(
                    program=student,
                    train=train,
                    holdout=held_out,
                    lm=as_language_model(dspy.settings.lm),
                    out=out,
                    embedder=embedder,
                    space=self.space,
                    objectives=tuple(name.strip() for name in self.metric.split(",")),
                    trials=self.trials,
                    orders=self.orders,
                    storage=self.storage,
                    seed=self.seed,
                    definition=self.definition,
                    timeout_s=self.timeout_s,
                    resume=self.resume,
                )
            )
        self.result = dict(tuned.result)
        held_out = self.result["holdout"]
        good = held_out is not None and held_out["separated"] and held_out["low"] > 0
        for line in self.result["words"]:
            # What may be luck must not be missed where nothing is configured to show it.
            _log.log(logging.INFO if good else logging.WARNING, line)
        return tuned.program


def _refuse_own_lm(student: RepairProgram) -> None:
    """A model of a predictor's own would be asked past the memo, and its calls would not be counted."""
    own = [name for name, predictor in student.named_predictors() if predictor.lm is not None]
    if own:
        raise InputError(
            "own_lm",
            f"the student has a language model of its own in {', '.join(own)}",
            hint="student.set_lm(None), and dspy.configure(lm=...) or dspy.context(lm=...) around compile",
        )
