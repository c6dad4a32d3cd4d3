"""The one split of a study: what corrections are collected on, and what is held out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from sqlmend._files import sha256_text
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.programs import Question

#: Share of a database's questions that corrections are collected on.
COLLECTED = 0.7


@dataclass(frozen=True)
class Split:
    """Ids of the two sides, in the benchmark's order.

    Attributes:
        collection: Where corrections are collected.
        held_out: What no bank knows anything of.
    """

    collection: tuple[str, ...]
    held_out: tuple[str, ...]


def split(questions: Sequence[Question], groups: Mapping[str, int]) -> Split:
    """Split the questions of every database 70 to 30, whole groups of twins; a function of ids alone.

    The groups of a database are taken by the hash of their first question's id until 70 % of its questions
    are collected: the group that crosses the mark goes to the side that ends nearer to it, and both sides get
    one where there are two.

    Args:
        questions: What is asked.
        groups: Question id to the ordinal of its group.

    Raises:
        InputError: No question is left on a side.
    """
    collected: set[str] = set()
    for db_id in sorted({question.db_id for question in questions}):
        members: dict[int, list[str]] = {}
        for question in questions:
            if question.db_id == db_id:
                members.setdefault(groups[question.id], []).append(question.id)
        collected.update(_collected(list(members.values())))
    sides = Split(
        tuple(q.id for q in questions if q.id in collected),
        tuple(q.id for q in questions if q.id not in collected),
    )
    if not sides.collection or not sides.held_out:
        raise InputError(
            "bad_split",
            f"{len(questions)} questions cannot be split in two by groups of twins",
            hint="choose more questions of each database",
        )
    return sides


def _collected(groups: Sequence[Sequence[str]]) -> list[str]:
    drawn = sorted(groups, key=lambda group: sha256_text(f"split:{min(group)}"))
    wanted = COLLECTED * sum(map(len, groups))
    taken: list[Sequence[str]] = []
    size = 0
    for group in drawn:
        if taken and size + len(group) - wanted > wanted - size:
            break
        taken.append(group)
        size += len(group)
    if len(taken) == len(drawn) > 1:
        taken.pop()
    return [question_id for group in taken for question_id in group]
