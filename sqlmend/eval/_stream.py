"""The causal stream: episodes in order, each seeing only what earlier ones left."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import dspy

from sqlmend.errors import SqlmendError
from sqlmend.eval._feedback import OracleFeedback
from sqlmend.eval._record import episode_record, step_record
from sqlmend.eval._run_folder import RunFolder
from sqlmend.eval._summary import summarize
from sqlmend.memory import KINDS, Memory, import_memory
from sqlmend.models import Usage, meter, paying
from sqlmend.programs import Episode, Question, RepairProgram, StepDone, of_one_question

if TYPE_CHECKING:
    from sqlmend.eval._benchmark import Benchmark
    from sqlmend.eval._oracle import Oracle
    from sqlmend.modules import ExamplePool
    from sqlmend.retrievers import Embedder, HybridRetriever, MemoryIndex


@dataclass(frozen=True)
class EpisodeDone:
    """One finished episode, for observers.

    Attributes:
        record: Its record as ``episodes.jsonl`` holds it.
        total: How many questions the stream has.
    """

    record: Mapping[str, Any]
    total: int


#: So many failures alike in a row stop a run; twice as many with each time that it has stopped there before.
_MOST_ALIKE = 3

Observer = Callable[[StepDone | EpisodeDone], None]


class Stream:
    """Runs a program over questions in order and commits what each episode leaves.

    Only the stream commits and only the stream knows groups. Every finished step is written before the
    next begins, and on disk with its episode; a killed stream goes on in its folder and ends with the
    same bytes.

    Args:
        program: What repairs.
        benchmark: Databases and groups.
        questions: The questions, in stream order.
        oracle: Judges attempts.
        lm: The language model of the program's modules.
        folder: Where the run is written.
        order: Which stream order the questions stand in; seeds what is drawn at random.
        embedder: Embeds queries and entries; needed where the program reads a memory.
        initial: Initial SQL by question id; None: the program writes it.
        imported: Folder of a memory whose live records the stream starts with.
        demonstrations: Examples that prompts may show; None: none.
        timeout_s: Seconds for each query that a step runs itself.
        observers: Told of every finished step and episode; they change nothing.
    """

    def __init__(
        self,
        program: RepairProgram,
        benchmark: Benchmark,
        questions: Sequence[Question],
        oracle: Oracle,
        lm: Any,
        folder: RunFolder,
        *,
        order: int = 0,
        embedder: Embedder | None = None,
        initial: Mapping[str, str] | None = None,
        imported: Path | None = None,
        demonstrations: ExamplePool | None = None,
        timeout_s: float = 30.0,
        observers: Sequence[Observer] = (),
    ) -> None:
        self._program = program
        self._benchmark = benchmark
        self._questions = questions
        self._oracle = oracle
        self._lm = lm
        self._folder = folder
        self._order = order
        self._memory = folder.memory
        self._embedder = embedder
        self._initial = initial
        self._imported = imported
        self._demonstrations = demonstrations
        self._timeout_s = timeout_s
        self._observers = observers
        self._describe = cache(benchmark.descriptions)
        self._alike: list[str] = []

    def run(self, provenance: Mapping[str, Any]) -> dict[str, Any]:
        """Run what is not yet done and write ``predictions.json`` and ``summary.json``.

        Args:
            provenance: Versions, data hash and settings for the summary.

        Returns:
            The summary.

        Raises:
            SqlmendError: A failure that every further question would meet; what is done is kept.
        """
        with ExitStack() as stack:
            done = self._done()
            if len(done) < len(self._questions):
                done = self._take_back(done)
                if self._imported is not None and not done:
                    import_memory(self._memory, self._imported)
                self._require_own_memory(done)
            elif (summary := self._folder.summary()) is not None:
                return summary  # it says with what the run was finished
            retriever = self._retriever(stack)
            settled = _keys_paid(self._folder.steps(), len(done))
            stack.enter_context(dspy.context(lm=self._lm))
            stack.enter_context(paying(self._folder.token, settled))
            for position in range(len(done), len(self._questions)):
                self._episode(position, retriever)
        return self._finish(provenance)

    def _done(self) -> list[dict[str, Any]]:
        done = self._folder.episodes()
        stored = [(record["position"], record["question_id"]) for record in done]
        if stored != [(n, question.id) for n, question in enumerate(self._questions[: len(done)])]:
            raise SqlmendError(
                "damaged_run", f"the episodes of {self._folder.path} are not those of its stream"
            )
        return done

    def _take_back(self, done: list[dict[str, Any]]) -> list[dict[str, Any]]:
        """Let go of the failures at the end, and of what came later: the stream runs on from there.

        What failed last may be what every question meets: it is final once another one has gone through.
        """
        first = _kept(done)
        if first < len(done):
            self._folder.keep_episodes(first)
        self._memory.roll_back(first)
        return done[:first]

    def _require_own_memory(self, done: Sequence[Mapping[str, Any]]) -> None:
        """The memory must be what the run began with and its episodes have left, or the rest would differ."""
        begun = None if self._imported is None else Memory(self._imported)
        own = {entry["id"] for record in done for entry in record["committed"]}
        own.update(() if begun is None else _live(begun))
        live = _live(self._memory)
        if lost := sorted(own - live):
            what = f"lacks {len(lost)} records of the run: {lost[0]}"
        elif strange := sorted(live - own):
            what = f"holds {len(strange)} records that are not of the run: {strange[0]}"
        else:
            return
        raise SqlmendError(
            "changed_memory",
            f"the memory of {self._folder.path} {what}",
            hint="it was changed, and the rest would run otherwise: begin a new run (with it: --memory)",
        )

    def _retriever(self, stack: ExitStack) -> HybridRetriever | None:
        if not self._program.reads_memory:
            return None
        from sqlmend.retrievers import HybridRetriever, MemoryIndex

        if self._embedder is None:
            raise ValueError("a program that reads a memory needs an embedder")
        self._index: MemoryIndex = stack.enter_context(
            MemoryIndex(self._memory, self._folder.index, self._embedder)
        )
        return HybridRetriever(self._index)

    def _episode(self, position: int, retriever: HybridRetriever | None) -> None:
        question = self._questions[position]
        feedback = OracleFeedback(self._oracle, question)
        view = self._memory.view(
            position,
            question_id=question.id,
            question=question.text,
            db_id=question.db_id,
            twins=self._benchmark.twins[question.id],
        )
        episode = Episode(
            question,
            self._benchmark.open(question.db_id),
            feedback,
            memory=view if self._program.reads_memory else None,
            retriever=retriever,
            embedder=self._embedder,
            demonstrations=self._demonstrations,
            describe=partial(self._describe, question.db_id),
            timeout_s=self._timeout_s,
            draw=f"order{self._order}:{question.id}",
            initial_sql=None if self._initial is None else self._initial[question.id],
        )

        def on_step(step: StepDone) -> None:
            self._folder.add_step(step_record(position, episode, step, _now()))
            self._tell(step)

        error: Exception | None = None
        with meter() as usage:
            try:
                self._program(episode, on_step=on_step)
            except Exception as failure:  # noqa: BLE001 - one question's failure is recorded, the run goes on
                self._stop_if_systemic(failure)
                error = failure
        if error is not None:
            episode.commit.clear()
        elif episode.unlearnt is not None:
            self._stop_if_systemic(episode.unlearnt)
        else:
            self._alike = []
        if (unfinished := error or episode.unlearnt) is not None:
            self._folder.add_step({"at": _now(), "position": position, "failure": repr(unfinished)})
        start = time.perf_counter()
        provenance = {"program": self._program.preset.name, "benchmark": self._benchmark.name}
        committed = self._memory.append(episode.commit, position, provenance)
        if retriever is not None and committed:
            self._index.sync()
        record = episode_record(position, episode, feedback.verdicts, committed, usage, error)
        self._folder.add_episode(record)
        commit = StepDone("commit", len(episode.attempts), time.perf_counter() - start, Usage())
        self._folder.add_step(step_record(position, episode, commit, _now()))
        self._tell(EpisodeDone(record, len(self._questions)))

    def _stop_if_systemic(self, failure: Exception) -> None:
        """Raise what every further question would meet as well."""
        if not of_one_question(failure):
            raise failure
        said = repr(failure)
        self._alike = [*(other for other in self._alike if other == said), said]
        if len(self._alike) < _MOST_ALIKE:
            return
        done = self._folder.episodes()
        first = _kept(done)
        if len(self._alike) < _MOST_ALIKE * 2 ** self._folder.stops(first):
            return
        self._folder.add_step({"at": _now(), "position": first, "stopped": said})
        self._take_back(done)
        raise SqlmendError(
            "repeated_failure",
            f"{len(self._alike)} questions in a row failed with {said}; the run stops",
            hint="resume when that is mended: they run again; if it is these questions' own, resume all the"
            " same: the run then looks twice as far for one that goes through",
        ) from failure

    def _tell(self, event: StepDone | EpisodeDone) -> None:
        for observer in self._observers:
            observer(event)

    def _finish(self, provenance: Mapping[str, Any]) -> dict[str, Any]:
        episodes = self._folder.episodes()
        self._folder.write_json("predictions.json", {e["question_id"]: e["sql"] for e in episodes})
        summary = summarize(episodes, self._folder.steps(), provenance)
        self._folder.write_json("summary.json", summary)
        return summary


def _kept(done: Sequence[Mapping[str, Any]]) -> int:
    """How many episodes stand: all but the failures at the end."""
    return next((n for n in range(len(done), 0, -1) if not _has_failed(done[n - 1])), 0)


def _has_failed(record: Mapping[str, Any]) -> bool:
    return record["error"] is not None or "unlearnt" in record


def _live(memory: Memory) -> set[str]:
    return {record.id for kind in KINDS for record in memory.records(kind)}


def _keys_paid(steps: Sequence[Mapping[str, Any]], done: int) -> Iterator[str]:
    """Memo keys of the calls that finished episodes have already counted as paid."""
    for step in steps:
        if step["position"] < done:
            yield from step["paid"]


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
