"""What changed between two statements, as a short text."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from sqlmend._text import cap
from sqlmend.databases._canonical import canonical
from sqlmend.databases._clauses import Item, clauses
from sqlmend.databases._tokens import significant

_MOST_TOKENS = 2000  # beyond this an alignment of items could take seconds; one change of the whole does
_WORDED = ("JOIN", "SET")  # clauses whose items bring their own word
_LINE_CHARS, _TEXT_CHARS = 240, 900
_SHOWN_WHOLE = 16  # tokens up to which an item is shown whole
_CONTEXT = 3  # tokens shown around a change within a longer item


def delta(before: str, after: str) -> str:
    """The difference between two SQL texts, one line a change, for prompts and embeddings.

    ``WHERE: a > 1 -> a >= 1`` changes an item of a clause, ``+ JOIN b ON b.id = a.id`` adds one and
    ``- GROUP BY x`` drops one; ``SELECT (2)`` is that of the second statement of a UNION. Long items show
    only what changes in them. It reads tokens, so broken SQL has a delta too, and equal texts have equal
    deltas on every machine; never throws.

    Returns:
        At most about 900 characters; ``(none)`` where the canonical texts are equal.
    """
    if canonical(before) == canonical(after):
        return "(none)"
    old, new = clauses(before), clauses(after)
    lines: list[str] = []
    if sum(len(item) for items in (*old.values(), *new.values()) for item in items) <= _MOST_TOKENS:
        for name in dict.fromkeys((*old, *new)):
            lines += _changes(name, old.get(name, []), new.get(name, []))
    if not lines:
        lines = [f"SQL: {_change(Item(significant(before)), Item(significant(after)))}"]
    return cap("\n".join(cap(line, _LINE_CHARS) for line in lines), _TEXT_CHARS)


def _changes(name: str, old: Sequence[Item], new: Sequence[Item]) -> Iterator[str]:
    old_keys, new_keys = [item.key for item in old], [item.key for item in new]
    if old_keys != new_keys and sorted(old_keys) == sorted(new_keys):
        yield f"{name}: {_listed(name, old)} -> {_listed(name, new)}"
        return
    for tag, i, i_end, j, j_end in SequenceMatcher(None, old_keys, new_keys, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        paired = min(i_end - i, j_end - j)
        for was, now in zip(old[i : i + paired], new[j : j + paired], strict=True):
            yield f"{name}: {_change(was, now)}"
        for sign, items in (("-", old[i + paired : i_end]), ("+", new[j + paired : j_end])):
            if name.startswith(_WORDED):
                yield from (f"{sign} {item}" for item in items)
            elif items:
                yield f"{sign} {name} {_listed(name, items)}"


def _listed(name: str, items: Sequence[Item]) -> str:
    glue = " AND " if name.startswith(("WHERE", "HAVING")) else " " if name.startswith(_WORDED) else ", "
    return glue.join(map(str, items))


def _change(was: Item, now: Item) -> str:
    """Both items, or of long ones the tokens around what differs."""
    if max(len(was), len(now)) <= _SHOWN_WHOLE:
        return f"{was} -> {now}"
    most = min(len(was), len(now))
    head = next((i for i in range(most) if was.key[i] != now.key[i]), most)
    tail = next((i for i in range(most - head) if was.key[-1 - i] != now.key[-1 - i]), most - head)
    start = _edge(was, head - _CONTEXT, -1)
    rest = len(was) - _edge(was, len(was) - tail + _CONTEXT, 1)
    return " -> ".join(
        ("... " if start else "") + str(item.part(start, len(item) - rest)) + (" ..." if rest else "")
        for item in (was, now)
    )


def _edge(item: Item, place: int, step: int) -> int:
    """A place between two tokens, moved out of a dotted name."""
    while 0 < place < len(item) and "." in item.key[place - 1 : place + 1]:
        place += step
    return min(max(place, 0), len(item))
