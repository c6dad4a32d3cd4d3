"""What a card is written from: an episode as the program saw it."""

from __future__ import annotations

from dataclasses import dataclass

from sqlmend.databases import Schema
from sqlmend.errors import InputError
from sqlmend.memory import Execution
from sqlmend.modules._probe import Probe


@dataclass(frozen=True)
class Material:
    """An episode as writers see it: no reference, and no verdict on the last attempt, is in it.

    Attributes:
        question_id: Id of the question within its benchmark.
        question: Its text.
        evidence: Its evidence, ``""`` where there is none.
        db_id: Name of its database.
        schema: The database's schema.
        attempts: First to last, at least one; the last is what a card hands on.
        failure_types: Failure type of each attempt, ``""`` where it has none.
        probes: The looks at the database on the way, in order.

    Raises:
        InputError: No attempt, or not one failure type for each.
    """

    question_id: str
    question: str
    evidence: str
    db_id: str
    schema: Schema
    attempts: tuple[Execution, ...]
    failure_types: tuple[str, ...]
    probes: tuple[Probe, ...] = ()

    def __post_init__(self) -> None:
        if not self.attempts or len(self.failure_types) != len(self.attempts):
            raise InputError(
                "bad_material",
                f"question {self.question_id} needs at least one attempt and a failure type for each; got"
                f" {len(self.attempts)} attempts and {len(self.failure_types)} failure types",
            )

    @property
    def first(self) -> Execution:
        """The first attempt."""
        return self.attempts[0]

    @property
    def sql(self) -> str:
        """The query that a card hands on: the last attempt's."""
        return self.attempts[-1].sql
