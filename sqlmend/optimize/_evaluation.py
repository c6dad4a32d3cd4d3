"""What one trial costs and brings: its program over the causal streams, each on a fresh memory."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from sqlmend.eval import EpisodeDone, RunRequest, read_episodes, run

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark, Oracle
    from sqlmend.models import LanguageModel
    from sqlmend.programs import RepairProgram, StepDone
    from sqlmend.retrievers import Embedder

#: Asked after every question with all outcomes so far; False ends the trial there.
Watch = Callable[[Sequence[int]], bool]


@dataclass(frozen=True)
class Evaluated:
    """What a trial's streams came to; those of a trial that was given up are shorter.

    Attributes:
        outcomes: 1 for each question that ended right, 0 for the others, stream after stream.
        tokens: Prompt and output tokens, memo hits counted as what they would have cost.
        calls: Calls of the model, memo hits included.
        calls_paid: Those that this trial paid for.
        seconds: Time in the streams.
    """

    outcomes: tuple[int, ...]
    tokens: int
    calls: int
    calls_paid: int
    seconds: float

    @property
    def ex(self) -> float:
        """Share of right outcomes."""
        return sum(self.outcomes) / len(self.outcomes) if self.outcomes else 0.0

    @property
    def tokens_per_question(self) -> float:
        """Tokens over the questions asked."""
        return self.tokens / len(self.outcomes) if self.outcomes else 0.0


class Evaluation(Protocol):
    """Runs a program for a study.

    Duties:
        1. Every program is asked the same questions in the same order, each stream with an empty memory.
        2. ``watch`` is called after each question; where it returns False nothing more is asked.
        3. Equal programs get equal outcomes.
        4. ``total`` is the number of outcomes of a trial that is not given up.
    """

    @property
    def total(self) -> int:
        """Outcomes of a whole trial."""
        ...

    def __call__(self, program: RepairProgram, place: str, watch: Watch) -> Evaluated:
        """Run ``program``; ``place`` names the trial."""
        ...


@dataclass(frozen=True)
class StreamEvaluation:
    """Evaluates by ordinary runs; each is a folder of its own, and goes on where it was killed.

    Attributes:
        benchmark: The questions.
        lm: The language model.
        out: Where the runs lie: ``<out>/<place>/order<K>``.
        orders: The stream orders, one run each.
        embedder: Embeds queries and entries.
        definition: Definition of execution accuracy; None: the benchmark's own.
        timeout_s: Seconds for each query.
        selection: How the questions were selected, for the record.
    """

    benchmark: Benchmark
    lm: LanguageModel
    out: Path
    orders: tuple[int, ...] = (0,)
    embedder: Embedder | None = None
    definition: str | None = None
    timeout_s: float = 30.0
    selection: Mapping[str, Any] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """Outcomes of a whole trial."""
        return len(self.benchmark.questions) * len(self.orders)

    def __call__(self, program: RepairProgram, place: str, watch: Watch) -> Evaluated:
        """Run ``program`` over all orders, or until ``watch`` has seen enough."""
        started = time.perf_counter()
        folders = [self.out / place / f"order{order}" for order in self.orders]
        before: list[int] = []
        for order, folder in zip(self.orders, folders, strict=True):
            outcomes = [int(episode["score_after"]) for episode in read_episodes(folder)]
            watching = _Watching(before, outcomes, watch)
            if outcomes and not watching.go_on():
                break
            try:
                run(self._request(program, order, folder), observers=[watching])
            except _Enough:
                break
            before = watching.outcomes
        return _evaluated(folders, time.perf_counter() - started)

    def _request(self, program: RepairProgram, order: int, folder: Path) -> RunRequest:
        return RunRequest(
            program=program,
            benchmark=self.benchmark,
            lm=self.lm,
            out=folder,
            definition=self.definition,
            order=order,
            embedder=self.embedder if program.reads_memory else None,
            timeout_s=self.timeout_s,
            resume=True,
            selection=self.selection,
            oracle=self._oracle,
        )

    @cached_property
    def _oracle(self) -> Oracle:
        """One judge for all trials: a reference runs once in the whole study."""
        return self.benchmark.oracle(definition=self.definition, timeout_s=self.timeout_s)


class _Enough(Exception):
    """Ends a run between two episodes; what is done is on disk."""


class _Watching:
    """An observer that asks after every episode whether to go on."""

    def __init__(self, before: list[int], outcomes: list[int], watch: Watch) -> None:
        self.outcomes = [*before, *outcomes]
        self._before = len(before)
        self._watch = watch

    def go_on(self) -> bool:
        return self._watch(self.outcomes)

    def __call__(self, event: StepDone | EpisodeDone) -> None:
        if isinstance(event, EpisodeDone):
            # What failed last may run again on a resume: then it counts once.
            del self.outcomes[self._before + event.record["position"] :]
            self.outcomes.append(int(event.record["score_after"]))
            if not self.go_on():
                raise _Enough


def _evaluated(folders: Sequence[Path], seconds: float) -> Evaluated:
    """What the runs in ``folders`` hold so far, resumed parts included."""
    episodes = [episode for folder in folders for episode in read_episodes(folder)]
    return Evaluated(
        outcomes=tuple(int(episode["score_after"]) for episode in episodes),
        tokens=sum(episode["prompt_tokens"] + episode["output_tokens"] for episode in episodes),
        calls=sum(episode["calls"] for episode in episodes),
        calls_paid=sum(len(set(_paid(folder))) for folder in folders),
        seconds=seconds,
    )


def _paid(folder: Path) -> Iterator[str]:
    """Memo keys of the calls that a run has paid for; a run settles each once."""
    file = folder / "steps.jsonl"
    for line in file.read_text("utf-8").splitlines() if file.exists() else ():
        yield from json.loads(line).get("paid", ())
