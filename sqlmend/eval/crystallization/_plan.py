"""What a study asks: its questions on their sides, its designs and its seeds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlmend.errors import SqlmendError
from sqlmend.eval.crystallization._design import Design, default_design
from sqlmend.eval.crystallization._split import split

if TYPE_CHECKING:
    from sqlmend.eval._benchmark import Benchmark


@dataclass(frozen=True)
class Asked:
    """One question of a study.

    Attributes:
        id: Its id.
        db_id: Its database.
        text: The question itself.
        group: Ordinal of its group of twins.
        held_out: Whether it is held out; else corrections are collected on it.
    """

    id: str
    db_id: str
    text: str
    group: int
    held_out: bool


@dataclass(frozen=True)
class Plan:
    """A study as a value: the same before it runs and when its results are read.

    Attributes:
        questions: All questions, in the benchmark's order.
        designs: The designs, the default first.
        seeds: Paired seeds of what is sampled.
    """

    questions: tuple[Asked, ...]
    designs: tuple[Design, ...]
    seeds: tuple[int, ...]

    @classmethod
    def of(cls, benchmark: Benchmark, designs: Sequence[Design], seeds: Sequence[int]) -> Plan:
        """The plan of a study; the default design is always among the designs.

        Raises:
            InputError: The questions cannot be split.
        """
        held_out = set(split(benchmark.questions, benchmark.groups).held_out)
        questions = tuple(
            Asked(q.id, q.db_id, q.text, benchmark.groups[q.id], q.id in held_out)
            for q in benchmark.questions
        )
        return cls(questions, tuple(dict.fromkeys((default_design(), *designs))), tuple(seeds))

    def to_data(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {
            "questions": [asdict(question) for question in self.questions],
            "designs": [{**asdict(design), "key": design.key} for design in self.designs],
            "seeds": list(self.seeds),
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Plan:
        """The reverse of ``to_data``.

        Raises:
            SqlmendError: The data is none of a plan (``damaged_study``).
        """
        names = [field.name for field in fields(Design)]
        try:
            return cls(
                tuple(Asked(**question) for question in data["questions"]),
                tuple(Design(**{name: design[name] for name in names}) for design in data["designs"]),
                tuple(data["seeds"]),
            )
        except (KeyError, TypeError) as error:
            raise SqlmendError("damaged_study", f"the study's plan is damaged: {error!r}") from error

    @cached_property
    def collection(self) -> tuple[str, ...]:
        """Ids of the questions that corrections are collected on."""
        return tuple(question.id for question in self.questions if not question.held_out)

    @cached_property
    def held_out(self) -> tuple[str, ...]:
        """Ids of the questions that no bank knows anything of."""
        return tuple(question.id for question in self.questions if question.held_out)

    @cached_property
    def by_id(self) -> dict[str, Asked]:
        """Question by its id."""
        return {question.id: question for question in self.questions}

    @cached_property
    def db_ids(self) -> tuple[str, ...]:
        """The databases, sorted."""
        return tuple(sorted({question.db_id for question in self.questions}))

    def databases_of(self, design: Design) -> tuple[str, ...]:
        """The databases that have a bank of their own; ("",) where one bank is for all."""
        return self.db_ids if design.scope == "foreign" else ("",)

    def seeds_of(self, sampled: bool) -> tuple[int | None, ...]:
        """The seeds of something that is sampled; (None,) where they coincide."""
        return self.seeds if sampled else (None,)
