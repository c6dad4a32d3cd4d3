"""A verified correction as it is kept for later questions: a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from sqlmend.memory._entry import (
    FAILURE_NAMES,
    bad_entry,
    check_fields,
    check_name,
    content_id,
    exact_fields,
)


@dataclass(frozen=True)
class CardPart:
    """One labelled piece of what a card says.

    Attributes:
        label: What it is, in a few words.
        text: Its words.
        code: Whether it holds SQL.

    Raises:
        InputError: A field has another type.
    """

    label: str
    text: str
    code: bool = False

    def __post_init__(self) -> None:
        check_fields(self, code=bool)


@dataclass(frozen=True)
class CardEntry:
    """What one question taught, in one of several formats.

    Attributes:
        question_id: Id of the source question within its benchmark, as text.
        question: Text of the source question, shown first.
        db_id: Name of its database.
        schema_fingerprint: ``sha256:...`` of the schema.
        format: Name of the writer.
        failure_type: Failure type of the first attempt, ``""`` where it was right.
        key: The text that it is found by: the question, or more.
        parts: What it says of the question, in order; at least one.

    Raises:
        InputError: A field has another type, the failure type is unknown, or there is no part.
    """

    question_id: str
    question: str
    db_id: str
    schema_fingerprint: str
    format: str
    failure_type: str
    key: str
    parts: tuple[CardPart, ...]

    def __post_init__(self) -> None:
        check_fields(self, parts=tuple)
        check_name("failure_type", self.failure_type, (*FAILURE_NAMES, ""))
        if not self.parts or not all(isinstance(part, CardPart) for part in self.parts):
            raise bad_entry("parts must be card parts, at least one")

    @cached_property
    def id(self) -> str:
        """The hash of the content, see :func:`content_id`."""
        return content_id(self.to_dict())

    @property
    def kind(self) -> str:
        """The log that the entry belongs to."""
        return "cards"

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {**asdict(self), "parts": [asdict(part) for part in self.parts]}

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> CardEntry:
        """The reverse of ``to_dict``: every field must be there, and no other.

        Raises:
            InputError: A field is missing, unknown or of another type.
        """
        values = exact_fields(cls, data, "entry")
        if not isinstance(values["parts"], list):
            raise bad_entry(f"parts must be a list, got {type(values['parts']).__name__}")
        parts = tuple(CardPart(**exact_fields(CardPart, part, "part")) for part in values["parts"])
        return cls(**{**values, "parts": parts})
