"""What a finished repair episode leaves behind."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from functools import cached_property
from typing import Any, Literal, get_args

from sqlmend._files import canonical_json, sha256_text
from sqlmend._text import cap
from sqlmend.databases import STATUSES
from sqlmend.errors import InputError

_PLAIN = re.compile(r"[A-Za-z_]\w{0,40}", re.ASCII)

Polarity = Literal["positive", "negative"]

#: What an execution may be called: what the oracle says, and every status of a database.
EXECUTION_STATUSES = ("match", "mismatch", "reference_failed", *STATUSES)
#: What a failed attempt may be called.
FAILURE_NAMES = tuple(
    "schema_linking syntax aggregation filter_value execution unknown result_mismatch".split()
)


def content_id(content: Mapping[str, Any]) -> str:
    """First 16 hex digits of the sha256 of an entry's content: no run, position or time."""
    return sha256_text(canonical_json(content))[:16]


def check_fields(instance: Any, *, optional: tuple[str, ...] = (), **others: type[Any]) -> None:
    """Refuse fields of another type: it would change an id or crash a prompt later.

    Args:
        instance: The dataclass to check; its fields are text.
        optional: Fields that may be None.
        others: Fields that are no text, with their types.

    Raises:
        InputError: A field has another type.
    """
    for field in fields(instance):
        value, wanted = getattr(instance, field.name), others.get(field.name, str)
        if not isinstance(value, wanted) and not (value is None and field.name in optional):
            name = wanted.__name__ if others else "text"  # nothing but text: say so in words
            raise bad_entry(f"{field.name} must be {name}, got {type(value).__name__}")


def check_name(field: str, name: str, known: tuple[str, ...]) -> None:
    """Refuse a name that is none of the known ones: prompts show names as they are, without a fence.

    Raises:
        InputError: The name is unknown.
    """
    if name not in known:
        raise bad_entry(f"{field} must be one of {', '.join(filter(None, known))}; got {quoted(name)}")


def quoted(text: Any) -> str:
    """What came in, as a short literal: a message holds no control character and no page of text."""
    return cap(ascii(text), 80)


def bad_entry(message: str) -> InputError:
    """An error that says why something is no entry."""
    return InputError("bad_entry", f"not a memory entry: {message}")


@dataclass(frozen=True)
class Execution:
    """A statement and what the machine said of it.

    Attributes:
        sql: The statement as written.
        status: ``match``, ``mismatch``, ``reference_failed`` or a status of the database.
        error: The DBMS's text, None where it ran.

    Raises:
        InputError: A field is no text, or the status is unknown.
    """

    sql: str
    status: str
    error: str | None = None

    def __post_init__(self) -> None:
        check_fields(self, optional=("error",))
        check_name("status", self.status, EXECUTION_STATUSES)


@dataclass(frozen=True)
class RepairEntry:
    """One step between two statements of one episode.

    A positive is the step into the confirmed query, a negative the last step of an episode that ended without
    one: its budget was exhausted, or its program gave it up.

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

    Raises:
        InputError: A field has another type, or the polarity or the failure type is unknown.
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

    def __post_init__(self) -> None:
        check_fields(self, before=Execution, after=Execution)
        if self.polarity not in get_args(Polarity):
            raise bad_entry(f"polarity must be positive or negative, got {quoted(self.polarity)}")
        check_name("failure_type", self.failure_type, FAILURE_NAMES)

    @cached_property
    def id(self) -> str:
        """The hash of the content, see :func:`content_id`."""
        return content_id(self.to_dict())

    @property
    def kind(self) -> str:
        """The log that the entry belongs to: its polarity."""
        return self.polarity

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> RepairEntry:
        """The reverse of ``to_dict``: every field must be there, and no other.

        Raises:
            InputError: A field is missing, unknown or of another type.
        """
        values = exact_fields(cls, data, "entry")
        for name in ("before", "after"):
            values[name] = Execution(**exact_fields(Execution, values[name], name))
        return cls(**values)


def exact_fields(cls: type[Any], data: Any, where: str) -> dict[str, Any]:
    """``data`` as the fields of a dataclass: every one must be there, and no other."""
    if not isinstance(data, Mapping):
        raise bad_entry(f"{where} must be an object, got {type(data).__name__}")
    wanted = {field.name for field in fields(cls)}
    if missing := sorted(wanted - data.keys()):
        raise bad_entry(f"{where} lacks {', '.join(missing)}")
    if unknown := data.keys() - wanted:
        raise bad_entry(f"{where} has unknown {names(unknown)}")
    return dict(data)


def names(keys: Iterable[Any]) -> str:
    """The keys of a damaged object, as a message names them: at most five, what is no plain name quoted."""
    said = [key if _PLAIN.fullmatch(key) else quoted(key) for key in sorted(map(str, keys))]
    return ", ".join(said[:5]) + (f" and {len(said) - 5} more" if len(said) > 5 else "")
