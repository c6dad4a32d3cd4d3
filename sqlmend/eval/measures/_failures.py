"""A sample of failures for people to label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmend._files import canonical_json, sha256_text
from sqlmend.errors import InputError
from sqlmend.eval._run_folder import read_episodes
from sqlmend.eval.measures._comparison import Comparison
from sqlmend.modules import FAILURE_TYPES

_COMPARISON, _EPISODES = "comparison.json", "episodes.jsonl"


@dataclass(frozen=True)
class Failure:
    """One failed query of a question, in however many episodes it was written.

    Attributes:
        db_id: The database.
        question_id: The question.
        question: Its text, empty where the folder does not hold it.
        sql: The query.
        status: What came of it.
        error: The DBMS's text, empty where it ran.
        predicted: The failure type that the classifier gave it.
    """

    db_id: str
    question_id: str
    question: str
    sql: str
    status: str
    error: str
    predicted: str

    @property
    def id(self) -> str:
        """Hash of the question, the query and its status."""
        return sha256_text(canonical_json([self.db_id, self.question_id, self.sql, self.status]))[:16]


def failures(folder: Path) -> list[Failure]:
    """The different failures of a run or of the finished runs of a comparison, by id.

    A query that several programs, orders or revisions wrote for a question counts once; those that nobody
    can judge, and those of episodes that broke off before they were classified, do not count.

    Raises:
        InputError: The folder holds neither.
        SqlmendError: A file is damaged.
    """
    found: dict[str, Failure] = {}
    for questions, episodes in _read(folder):
        for episode in episodes:
            for attempt in episode["attempts"]:
                if attempt["failure_type"] is not None:
                    failure = Failure(
                        db_id=episode["db_id"],
                        question_id=episode["question_id"],
                        question=questions.get(episode["question_id"], ""),
                        sql=attempt["sql"],
                        status=attempt["status"],
                        error=attempt["error"] or "",
                        predicted=attempt["failure_type"],
                    )
                    found.setdefault(failure.id, failure)
    return sorted(found.values(), key=lambda failure: failure.id)


def sample_failures(population: Sequence[Failure], n: int, seed: int = 0) -> list[dict[str, Any]]:
    """A sample stratified by failure type, as rows of a CSV to be labelled.

    Each type gets the same number as far as it has so many, so that rare ones are seen; ``population`` says
    how many failures there are of the row's type, from which ``score_labels`` weights back. Within a type
    those with the smallest sha256 of ``"{seed}:{id}"`` are taken; rows are in that order too, types mixed.

    Args:
        population: All failures.
        n: How many to draw at most.
        seed: Another seed, another sample.

    Raises:
        InputError: There is no failure, or ``n`` is below 1.
    """
    if n < 1:
        raise InputError("bad_sample", f"a sample needs at least one failure; got {n}")
    if not population:
        raise InputError("no_failures", "there is no failure to label")
    strata: dict[str, list[Failure]] = defaultdict(list)
    for failure in sorted(population, key=lambda failure: _rank(failure, seed)):
        strata[failure.predicted].append(failure)
    sizes = _allocate({name: len(members) for name, members in strata.items()}, n)
    drawn = [failure for name, members in strata.items() for failure in members[: sizes[name]]]
    return [
        {
            "id": failure.id,
            "label": "",
            "db_id": failure.db_id,
            "question_id": failure.question_id,
            "question": failure.question,
            "sql": failure.sql,
            "status": failure.status,
            "error": failure.error,
            "predicted": failure.predicted,
            "population": len(strata[failure.predicted]),
        }
        for failure in sorted(drawn, key=lambda failure: _rank(failure, seed))
    ]


def _rank(failure: Failure, seed: int) -> str:
    return sha256_text(f"{seed}:{failure.id}")


def _allocate(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """``n`` over strata, one at a time to those that have some left; types in their own order."""
    known = [name for name in dict.fromkeys(FAILURE_TYPES.values()) if name in sizes]
    names = [*known, *sorted(sizes.keys() - set(known))]
    drawn = dict.fromkeys(sizes, 0)
    left = min(n, sum(sizes.values()))
    while left:
        for name in names:
            if left and drawn[name] < sizes[name]:
                drawn[name] += 1
                left -= 1
    return drawn


def _read(folder: Path) -> Iterator[tuple[Mapping[str, str], Sequence[Mapping[str, Any]]]]:
    if (folder / _COMPARISON).exists():
        comparison = Comparison(folder)
        texts = {question["id"]: question["text"] for question in comparison.questions}
        for run in comparison.runs.values():
            yield texts, run.episodes
    elif (folder / _EPISODES).exists():
        yield {}, read_episodes(folder)
    else:
        raise InputError(
            "no_run", f"{folder} holds neither a run nor a comparison", hint="sqlmend compare --out makes one"
        )
