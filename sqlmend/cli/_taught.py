"""What an entry of a memory says, in short, whatever its kind."""

from __future__ import annotations

from sqlmend.databases import delta
from sqlmend.memory import CardEntry, Entry, NoteEntry, ReflectionEntry, RepairEntry, RuleEntry

_SAME = delta("", "")


def taught(entry: Entry) -> str:
    """The words or the change that an entry teaches by; ``""`` for a kind that has none."""
    match entry:
        case RepairEntry():
            return entry.delta if entry.delta != _SAME else f"the same query again: {_came_of(entry)}"
        case ReflectionEntry():
            return entry.text
        case RuleEntry():
            return entry.rule.correction
        case NoteEntry():
            return f"{entry.error_class}: {entry.detail}"
        case CardEntry():
            return "\n".join(f"{part.label}: {part.text}" for part in entry.parts)
    return ""


def _came_of(entry: RepairEntry) -> str:
    return f"{entry.after.status}, {entry.after.error}" if entry.after.error else entry.after.status
