"""One split of a benchmark as it was loaded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING

from sqlmend.errors import InputError
from sqlmend.eval._groups import group_ordinals
from sqlmend.eval._sealed import SealedReferences

if TYPE_CHECKING:
    from datasets import Dataset

    from sqlmend.programs import Question


@dataclass(frozen=True, eq=False)
class Split:
    """All of a split: what a `Benchmark` chooses its questions from.

    Attributes:
        benchmark: Name of the benchmark.
        name: Name of the split, ``""`` where the benchmark has only one.
        definition: The benchmark's own definition of a match.
        ids: Ids of all questions in the order of the file, those without a database included.
        questions: The questions whose database is there, in that order.
        references: Their references.
        files: Database to its SQLite files, the main one first.
        sources: Database to the files whose bytes stand for it in the data hash.
        absent: The questions whose database is not there, in that order.
    """

    benchmark: str
    name: str
    definition: str
    ids: tuple[str, ...]
    questions: tuple[Question, ...]
    references: SealedReferences
    files: Mapping[str, tuple[Path, ...]]
    sources: Mapping[str, tuple[Path, ...]]
    absent: tuple[Question, ...]

    @cached_property
    def groups(self) -> dict[str, int]:
        """Question id to the ordinal of its group of paraphrase twins."""
        references = self.references.reveal()
        ordinals = group_ordinals((question.db_id, references[question.id]) for question in self.questions)
        return {question.id: ordinal for question, ordinal in zip(self.questions, ordinals, strict=True)}

    @cached_property
    def members(self) -> dict[int, frozenset[str]]:
        """Ordinal of a group to the ids of its questions."""
        found: dict[int, set[str]] = {}
        for question_id, group in self.groups.items():
            found.setdefault(group, set()).add(question_id)
        return {group: frozenset(ids) for group, ids in found.items()}


def build_split(
    dataset: Dataset,
    files: Mapping[str, tuple[Path, ...]],
    *,
    benchmark: str,
    name: str,
    definition: str,
    sources: Mapping[str, tuple[Path, ...]] | None = None,
) -> Split:
    """The split of a dataset of questions and the databases that are there.

    Raises:
        InputError: No question has its database.
    """
    from sqlmend.programs import Question

    rows = dataset.to_list()
    kept = [row for row in rows if row["db_id"] in files]
    questions = [
        Question(
            id=row["question_id"],
            db_id=row["db_id"],
            text=row["question"],
            evidence=row["evidence"],
            difficulty=row["difficulty"],
        )
        for row in rows
    ]
    absent = tuple(question for question in questions if question.db_id not in files)
    if not kept:
        looked_for = list(count_by_database(absent))[:5]
        raise InputError(
            "no_databases",
            f"{benchmark}: none of the {len(rows)} questions has its database here",
            hint=f"databases looked for: {', '.join(looked_for) or 'none'}; each as NAME/NAME.sqlite",
        )
    return Split(
        benchmark=benchmark,
        name=name,
        definition=definition,
        ids=tuple(row["question_id"] for row in rows),
        questions=tuple(question for question in questions if question.db_id in files),
        references=SealedReferences({row["question_id"]: row["reference"] for row in kept}),
        files=files,
        sources=files if sources is None else sources,
        absent=absent,
    )


def count_by_database(questions: Iterable[Question]) -> dict[str, int]:
    """Database to the number of its questions, by name."""
    return dict(sorted(Counter(question.db_id for question in questions).items()))
