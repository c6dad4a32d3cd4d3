"""A failure note as an episode of a stream leaves it: with its source question, without a time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from sqlmend.memory._entry import bad_entry, check_fields, content_id, exact_fields, quoted
from sqlmend.memory.notes import BACKENDS, ERROR_CLASSES, Key, Refusal


@dataclass(frozen=True)
class NoteEntry:
    """What a machine refused while a question was answered.

    Attributes:
        question_id: Id of the source question within its benchmark, as text.
        question: Text of the source question.
        db_id: Name of its database.
        backend: Where it was refused, one of ``BACKENDS``.
        schema_fingerprint: ``sha256:...`` of the schema.
        shape: Shape of the refused statement.
        error_class: One of ``ERROR_CLASSES``.
        detail: The machine's text, masked.
        worked: Shape of a later statement of the episode that ran in its place, ``""`` where none did.

    Raises:
        InputError: A field is no text, or the backend or the class is unknown.
    """

    question_id: str
    question: str
    db_id: str
    backend: str
    schema_fingerprint: str
    shape: str
    error_class: str
    detail: str
    worked: str

    def __post_init__(self) -> None:
        check_fields(self)
        if self.backend not in BACKENDS or self.error_class not in ERROR_CLASSES:
            given = f"{quoted(self.backend)}, {quoted(self.error_class)}"
            raise bad_entry(f"unknown backend or error class: {given}")

    @cached_property
    def id(self) -> str:
        """The hash of the content, see :func:`content_id`."""
        return content_id(self.to_dict())

    @property
    def kind(self) -> str:
        """The log that the entry belongs to."""
        return "notes"

    @property
    def failure_type(self) -> str:
        """What lists show as its type: the error class."""
        return self.error_class

    @property
    def refusal(self) -> Refusal:
        """The refusal that a look-up finds, under the entry's id."""
        key = Key(self.backend, self.schema_fingerprint, self.shape)
        return Refusal(self.id, key, self.error_class, self.detail, worked=self.worked)

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> NoteEntry:
        """The reverse of ``to_dict``: every field must be there, and no other.

        Raises:
            InputError: A field is missing, unknown or of another type.
        """
        return cls(**exact_fields(cls, data, "entry"))
