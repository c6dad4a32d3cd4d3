"""One line of a log: what it may be, and how older formats become the present one."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple, NoReturn, TypeGuard

from sqlmend._files import canonical_json
from sqlmend.errors import InputError, unknown_name
from sqlmend.memory._entry import content_id, names, quoted
from sqlmend.memory._kinds import KINDS, Entry

#: Position of imported entries: before every question of a stream.
IMPORTED = -1

#: Step i turns a parsed line of format i + 1 into one of format i + 2. A line's id is checked before.
MIGRATIONS: list[Callable[[dict[str, Any]], dict[str, Any]]] = []


class Source(NamedTuple):
    """The question an entry came from, as it is compared."""

    db_id: str
    question_id: str
    folded: str


def fold(text: str) -> str:
    """A question's text folded in case and space."""
    return " ".join(text.split()).casefold()


@dataclass(frozen=True)
class Record:
    """An entry as it is kept.

    Attributes:
        id: Hash of the entry's content.
        kind: The log that it is in.
        position: Stream position of the source question, -1 where the entry was imported.
        entry: The entry, of the class that ``KINDS`` has for the kind.
        provenance: Where it came from, as plain JSON values; not part of the id.
        stored_id: The id in the log, which differs where a migration changed the content.
    """

    id: str
    kind: str
    position: int
    entry: Any
    provenance: Mapping[str, Any] = field(hash=False)
    stored_id: str = field(compare=False, repr=False)

    @classmethod
    def of(cls, entry: Entry, position: int, provenance: Mapping[str, Any]) -> Record:
        """The record exactly as a reader of its line will have it.

        JSON knows no difference between a pair of surrogates and the character they encode, or
        between a tuple and a list; going through it keeps a resumed run equal to an undisturbed one.
        """
        if entry.kind not in KINDS:
            raise unknown_name("memory kind", entry.kind, KINDS)
        line = cls(entry.id, entry.kind, position, entry, provenance, entry.id).to_line()
        record = parse_line(canonical_json(line).encode("ascii"), entry.kind)
        if not isinstance(record, Record):
            raise TypeError(f"an entry of kind {entry.kind!r} does not parse as one")
        return record

    @cached_property
    def source(self) -> Source:
        """The source question as it is compared."""
        return Source(self.entry.db_id, self.entry.question_id, fold(self.entry.question))

    def to_line(self) -> dict[str, Any]:
        """The line of the log, as plain values."""
        return {
            "v": format_version(),
            "id": self.id,
            "position": self.position,
            "entry": self.entry.to_dict(),
            "provenance": dict(self.provenance),
        }


@dataclass(frozen=True)
class Tombstone:
    """Says that the entry of that id is no longer recalled."""

    id: str

    def to_line(self) -> dict[str, Any]:
        """The line of the log, as plain values."""
        return {"v": format_version(), "retired": self.id}


def format_version() -> int:
    """The format that is written: one more than there are migrations."""
    return len(MIGRATIONS) + 1


def parse_line(data: bytes, kind: str) -> Record | Tombstone:
    """One line of the log of ``kind``, checked whole.

    Raises:
        InputError: ``not_json``; ``newer_format``; or ``damaged_line``, which names what is wrong.
    """
    line = _object(data)
    version = line.get("v")
    if not _is_int(version) or version < 1:
        _damaged(f"v must be the format version, got {quoted(version)}")
    if version > format_version():
        raise InputError(
            "newer_format",
            f"format {quoted(version)} is newer than {format_version()}, the newest this version knows",
            hint="update sqlmend",
        )
    if "entry" in line and _content_id(line["entry"]) != line.get("id"):
        _damaged(f"id {quoted(line.get('id'))} does not match the content")
    stored_id = line.get("id", "")
    for migrate in MIGRATIONS[version - 1 :]:
        line = migrate(line)
    return _tombstone(line) if "retired" in line else _record(line, kind, stored_id)


def _object(data: bytes) -> dict[str, Any]:
    try:
        line = json.loads(data.decode("utf-8"), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        raise InputError("not_json", "not a JSON object") from None
    if not isinstance(line, dict):
        raise InputError("not_json", "not a JSON object")
    return line


def _no_constant(name: str) -> NoReturn:
    raise ValueError(name)


def _content_id(content: Any) -> str:
    if not isinstance(content, dict):
        _damaged("entry must be an object")
    try:
        return content_id(content)
    except (ValueError, RecursionError):
        _damaged("entry holds a value that JSON cannot")


def _tombstone(line: dict[str, Any]) -> Tombstone:
    if line.keys() != {"v", "retired"} or not isinstance(line["retired"], str):
        _damaged("a retired line has v and retired (an id), nothing else")
    return Tombstone(line["retired"])


def _record(line: dict[str, Any], kind: str, stored_id: str) -> Record:
    if line.keys() != {"v", "id", "position", "entry", "provenance"}:
        _damaged(f"fields must be v, id, position, entry, provenance; got {names(line)}")
    position, provenance = line["position"], line["provenance"]
    if not _is_int(position) or position < IMPORTED:
        _damaged(f"position must be {IMPORTED} or more, got {quoted(position)}")
    if not isinstance(provenance, dict):
        _damaged("provenance must be an object")
    try:
        canonical_json(provenance)
    except (ValueError, RecursionError):
        _damaged("provenance holds a value that JSON cannot")
    try:
        entry = KINDS[kind].from_dict(line["entry"])
    except InputError as error:
        _damaged(error.message)
    if entry.kind != kind:
        _damaged(f"a {entry.kind} entry in the log of {kind}")
    return Record(entry.id, kind, position, entry, provenance, stored_id)


def _is_int(value: Any) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)


def _damaged(message: str) -> NoReturn:
    raise InputError("damaged_line", message)
