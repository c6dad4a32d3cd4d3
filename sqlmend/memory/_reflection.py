"""What was thought about one failed attempt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from sqlmend.memory._entry import (
    FAILURE_NAMES,
    Execution,
    check_fields,
    check_name,
    content_id,
    exact_fields,
)


@dataclass(frozen=True)
class ReflectionEntry:
    """A model's reflection on one failed attempt (Reflexion, Shinn et al. 2023).

    Attributes:
        question_id: Id of the source question within its benchmark, as text.
        question: Text of the source question.
        db_id: Name of its database.
        attempt: The attempt that failed.
        failure_type: Its failure type.
        text: The reflection.

    Raises:
        InputError: A field has another type, or the failure type is unknown.
    """

    question_id: str
    question: str
    db_id: str
    attempt: Execution
    failure_type: str
    text: str

    def __post_init__(self) -> None:
        check_fields(self, attempt=Execution)
        check_name("failure_type", self.failure_type, FAILURE_NAMES)

    @cached_property
    def id(self) -> str:
        """The hash of the content, see :func:`content_id`."""
        return content_id(self.to_dict())

    @property
    def kind(self) -> str:
        """The log that the entry belongs to."""
        return "reflections"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> ReflectionEntry:
        """The reverse of ``to_dict``: every field must be there, and no other.

        Raises:
            InputError: A field is missing, unknown or of another type.
        """
        values = exact_fields(cls, data, "entry")
        values["attempt"] = Execution(**exact_fields(Execution, values["attempt"], "attempt"))
        return cls(**values)
