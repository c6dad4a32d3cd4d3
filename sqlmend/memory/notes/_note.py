"""What is kept of one refusal, and what a prompt is told of it."""

from __future__ import annotations

import json
from typing import NamedTuple

from sqlmend._files import canonical_json
from sqlmend.errors import InputError
from sqlmend.memory._entry import content_id
from sqlmend.memory.notes._classes import ERROR_CLASSES
from sqlmend.memory.notes._key import BACKENDS, Key

#: Version of the file's lines.
FORMAT = 1

_REFUSAL = frozenset(("id", "at", "backend", "fingerprint", "shape", "error_class", "detail", "construct"))


class Note(str):
    """One instruction for a prompt.

    Attributes:
        error_class: The class of the refusal, one of ``ERROR_CLASSES``.
        score: Overlap of the two statements' shapes, from the threshold to 1.0.
        id: Id of the recorded refusal.
    """

    error_class: str
    score: float
    id: str

    __slots__ = ("error_class", "id", "score")

    def __new__(cls, text: str, error_class: str, score: float, note_id: str) -> Note:
        """A note of these words."""
        note = super().__new__(cls, text)
        note.error_class = error_class
        note.score = score
        note.id = note_id
        return note

    def __getnewargs__(self) -> tuple[str, str, float, str]:  # type: ignore[override]
        return str(self), self.error_class, self.score, self.id


class Refusal(NamedTuple):
    """A recorded refusal; make one with :meth:`of`.

    Attributes:
        id: Hash of the content, without times and what worked: recording it twice changes nothing.
        key: Where it was refused and the shape of what was refused.
        error_class: One of ``ERROR_CLASSES``.
        detail: The machine's text as it may be shown; never matched on.
        construct: What a translation refused, by name, parted by commas, else ``""``.
        at: When it was recorded, ISO 8601 in UTC; ``""`` where no time is kept.
        worked: Shape of a statement that ran later in its place, ``""`` as long as there is none.
    """

    id: str
    key: Key
    error_class: str
    detail: str
    construct: str = ""
    at: str = ""
    worked: str = ""

    @classmethod
    def of(
        cls, key: Key, error_class: str, detail: str, construct: str = "", at: str = "", worked: str = ""
    ) -> Refusal:
        """The refusal of that content."""
        content = _content(key, error_class, detail, construct)
        return cls(content_id(content), key, error_class, detail, construct, at, worked)

    def with_worked(self, shape: str) -> Refusal:
        """The same refusal, and what ran later."""
        return self._replace(worked=shape)

    def to_line(self) -> str:
        """The line of the file."""
        content = _content(self.key, self.error_class, self.detail, self.construct)
        return canonical_json({"v": FORMAT, "id": self.id, "at": self.at, **content})


def _content(key: Key, error_class: str, detail: str, construct: str) -> dict[str, str]:
    return {**key._asdict(), "error_class": error_class, "detail": detail, "construct": construct}


class Worked(NamedTuple):
    """Says that a statement of that shape ran in the place of a recorded one."""

    id: str
    shape: str

    def to_line(self) -> str:
        """The line of the file."""
        return canonical_json({"v": FORMAT, "id": self.id, "worked": self.shape})


class Forgotten(NamedTuple):
    """Says that a recorded refusal is not looked up any more, until it is recorded anew."""

    id: str

    def to_line(self) -> str:
        """The line of the file."""
        return canonical_json({"v": FORMAT, "forgotten": self.id})


Line = Refusal | Worked | Forgotten


def parse_line(data: bytes, *, verify: bool = False) -> Line:
    """One line of a file of notes.

    Args:
        data: Without its line end.
        verify: Check its id against its content, too.

    Raises:
        InputError: ``newer_format``, or ``damaged_line``, which names what is wrong.
    """
    try:
        line = json.loads(data.decode("utf-8"))
    except (ValueError, RecursionError):
        raise _damaged("not a JSON object") from None
    if not isinstance(line, dict):
        raise _damaged("not a JSON object")
    version = line.pop("v", None)
    if isinstance(version, int) and version > FORMAT:
        raise InputError("newer_format", f"format {version} is newer than {FORMAT}", hint="update sqlmend")
    if version != FORMAT or any(type(value) is not str for value in line.values()):
        raise _damaged("not a line of notes")
    if line.keys() == _REFUSAL:
        return _refusal(line, verify)
    if line.keys() == {"id", "worked"}:
        return Worked(line["id"], line["worked"])
    if line.keys() == {"forgotten"}:
        return Forgotten(line["forgotten"])
    raise _damaged(f"unknown fields: {', '.join(sorted(line))[:200]}")


def _refusal(line: dict[str, str], verify: bool) -> Refusal:
    if line["backend"] not in BACKENDS or line["error_class"] not in ERROR_CLASSES:
        raise _damaged("unknown backend or error class")
    key = Key(line["backend"], line["fingerprint"], line["shape"])
    content = (key, line["error_class"], line["detail"], line["construct"])
    if verify and Refusal.of(*content).id != line["id"]:
        raise _damaged(f"id {line['id'][:40]!r} does not match the content")
    return Refusal(line["id"], *content, line["at"])


def _damaged(message: str) -> InputError:
    return InputError("damaged_line", message)
