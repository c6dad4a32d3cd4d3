"""What a finished repair episode leaves behind."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any, Literal

from sqlmend._files import canonical_json, sha256_text

Polarity = Literal["positive", "negative"]


@dataclass(frozen=True)
class Execution:
    """A statement and what the machine said of it.

    Attributes:
        sql: The statement as written.
        status: ``match``, ``mismatch`` or a failing status of the database.
        error: The DBMS's text, None where it ran.
    """

    sql: str
    status: str
    error: str | None = None


@dataclass(frozen=True)
class RepairEntry:
    """One step between two statements of one episode.

    A positive is the step into the confirmed query, a negative the last step of an exhausted budget.

    Attributes:
        polarity: ``positive`` or ``negative``.
        question_id: Id of the source question within its benchmark, as text.
        question: Text of the source question.
        db_id: Name of its database.
        schema: The schema as it was rendered in the prompt.
        schema_fingerprint: ``sha256:...`` of the schema.
        evidence: The question's evidence, ``""`` where there is none.
        before: The statement that the step started from (failure context).
        after: The statement that it ended in (outcome).
        delta: The difference between the two, as text.
        failure_type: The failure type of ``before``.
    """

    polarity: Polarity
    question_id: str
    question: str
    db_id: str
    schema: str
    schema_fingerprint: str
    evidence: str
    before: Execution
    after: Execution
    delta: str
    failure_type: str

    @cached_property
    def id(self) -> str:
        """First 16 hex digits of the sha256 of the content: no run, position or time."""
        return sha256_text(canonical_json(asdict(self)))[:16]

    @property
    def kind(self) -> str:
        """The log that the entry belongs to: its polarity."""
        return self.polarity

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> RepairEntry:
        """The reverse of ``to_dict``.

        Raises:
            TypeError: A field is missing or unknown.
        """
        fields = dict(data)
        return cls(before=Execution(**fields.pop("before")), after=Execution(**fields.pop("after")), **fields)
