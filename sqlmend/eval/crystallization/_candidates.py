"""What could become a card: episodes of a finished run, with the oracle's verdict beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend.eval._run_folder import read_episodes
from sqlmend.eval.crystallization._source_run import SourceRun
from sqlmend.memory import Execution
from sqlmend.modules import Probe
from sqlmend.modules.cards import Material

if TYPE_CHECKING:
    from sqlmend.eval._benchmark import Benchmark
    from sqlmend.programs import Question

_UNDECIDABLE = "reference_failed"


@dataclass(frozen=True)
class Candidate:
    """An episode that asks to become a card.

    Attributes:
        material: What a writer sees of it; the verdict is not in it.
        correct: Whether the oracle confirmed the last attempt; False too where there is no oracle.
        voted: Whether a vote of samples chose the last attempt.
    """

    material: Material
    correct: bool
    voted: bool = False

    @property
    def question_id(self) -> str:
        """Id of its question."""
        return self.material.question_id


def candidates(folder: Path, benchmark: Benchmark, *, first_try: bool = False) -> list[Candidate]:
    """The candidates of a run, in the order of its stream.

    Corrections are those of the questions whose first answer was wrong and that tried again, the last attempt
    being the candidate whether it was right or not. Questions that nobody can judge, and episodes that a
    failure cut short, are none.

    Args:
        folder: The run's folder.
        benchmark: The benchmark that it ran over, or one with more of its questions.
        first_try: The first answers instead, right ones and wrong ones, without what came after.

    Raises:
        InputError: No run there, or one of other questions.
        SqlmendError: The run's files are damaged.
    """
    run = SourceRun.read(folder)
    questions = {question.id: question for question in benchmark.questions}
    found = []
    for episode in read_episodes(folder):
        question = questions.get(episode["question_id"])
        if question is None or question.db_id != episode["db_id"]:
            raise run.other(benchmark)
        attempts = episode["attempts"][: 1 if first_try else None]
        undecidable = any(attempt["status"] == _UNDECIDABLE for attempt in episode["attempts"])
        if undecidable or not attempts:
            continue
        if not first_try and (episode["score_before"] or len(attempts) < 2 or episode["error"] is not None):
            continue
        correct = episode["score_before" if first_try else "score_after"] == 1
        material = _material(episode, attempts, question, benchmark)
        found.append(Candidate(material, correct, run.voted and not first_try))
    return found


def _material(
    episode: Mapping[str, Any], attempts: list[Any], question: Question, benchmark: Benchmark
) -> Material:
    probes = (
        Probe(Execution(p["sql"], p["status"], p["error"]), p["rows"], p["attempt"])
        for p in episode.get("probes", ())
    )
    return Material(
        question_id=question.id,
        question=question.text,
        evidence=question.evidence,
        db_id=question.db_id,
        schema=benchmark.open(question.db_id).schema(),
        attempts=tuple(Execution(a["sql"], a["status"], a["error"]) for a in attempts),
        failure_types=tuple(a["failure_type"] or "" for a in attempts),
        probes=tuple(look for look in probes if look.attempt < len(attempts)),
    )
