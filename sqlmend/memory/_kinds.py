"""The kinds of entries; each has its own log."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self

from sqlmend.memory._card import CardEntry
from sqlmend.memory._entry import RepairEntry
from sqlmend.memory._note_entry import NoteEntry
from sqlmend.memory._reflection import ReflectionEntry
from sqlmend.memory._rule import RuleEntry


class Entry(Protocol):
    """What every kind of entry offers.

    1. ``id`` is a hash of the content alone (:func:`content_id` of ``to_dict()``).
    2. ``kind`` is the key of its class in :data:`KINDS`.
    3. It names its source question, by which causality is decided.
    4. ``from_dict(to_dict())`` equals it; ``from_dict`` raises ``InputError`` for anything else.
    """

    @property
    def id(self) -> str: ...
    @property
    def kind(self) -> str: ...
    @property
    def question_id(self) -> str: ...
    @property
    def question(self) -> str: ...
    @property
    def db_id(self) -> str: ...

    def to_dict(self) -> dict[str, Any]:
        """Plain values, for JSON."""

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Self:
        """The reverse of ``to_dict``."""


#: Kind to the class of its entries; the log of a kind is ``<kind>.jsonl``.
KINDS: dict[str, type[Entry]] = {
    "positive": RepairEntry,
    "negative": RepairEntry,
    "reflections": ReflectionEntry,
    "rules": RuleEntry,
    "notes": NoteEntry,
    "cards": CardEntry,
}
