"""Cards that tell how the first attempt became the last, without either of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cached_property

from sqlmend.databases import canonical, delta
from sqlmend.databases._clauses import Item, clauses
from sqlmend.memory import CardPart
from sqlmend.modules.cards._material import Material
from sqlmend.modules.cards._plain import said, said_part
from sqlmend.modules.contradictions import derive
from sqlmend.modules.rules import anchor_text, resolve_anchor


def diff(material: Material) -> tuple[CardPart, ...]:
    """The difference alone; nothing where there is none."""
    change = Change(material)
    return (change.text,) if change else ()


def diff_mode(material: Material) -> tuple[CardPart, ...]:
    """The difference, and how the first attempt failed: its failure type and what the machine said."""
    change = Change(material)
    return (change.mode, change.text) if change else ()


def diff_mode_anchor(material: Material) -> tuple[CardPart, ...]:
    """Difference and failure, and the tables and columns that the difference touches."""
    change = Change(material)
    if not change:
        return ()
    touched = CardPart("touches", ", ".join(change.anchors))
    return (change.mode, change.text, *((touched,) if change.anchors else ()))


def diff_guard(material: Material) -> tuple[CardPart, ...]:
    """The difference, and for which queries it is meant; no model words it."""
    change = Change(material)
    return (change.text, *change.guard) if change else ()


class Change:
    """The step from the first attempt to the last; false where it changes nothing.

    Args:
        material: The episode.
    """

    def __init__(self, material: Material) -> None:
        self._material = material
        self._old, self._new = clauses(material.first.sql), clauses(material.sql)

    def __bool__(self) -> bool:
        return canonical(self._material.first.sql) != canonical(self._material.sql)

    @property
    def text(self) -> CardPart:
        """The difference, one line a change: pieces of SQL."""
        return CardPart("change", delta(self._material.first.sql, self._material.sql), code=True)

    @property
    def mode(self) -> CardPart:
        """How the first attempt failed."""
        kind = self._material.failure_types[0] or "unknown"
        return said_part("failure", f"{kind}: {said(self._material.first)}")

    @property
    def guard(self) -> tuple[CardPart, CardPart]:
        """When the difference is meant for a query, and when not."""
        used = _listed(self.anchors) or "the same tables"
        return (
            CardPart("applies", f"to {_listed(self.clauses)} of a query that uses {used}"),
            CardPart(
                "does not apply", "where a query uses none of these, or the question asks for it otherwise"
            ),
        )

    @cached_property
    def clauses(self) -> tuple[str, ...]:
        """Names of the clauses that differ, those of the first attempt first."""
        names = dict.fromkeys((*self._old, *self._new))
        return tuple(name for name in names if _keys(self._old, name) != _keys(self._new, name))

    @cached_property
    def anchors(self) -> tuple[str, ...]:
        """What the items that differ name, as ``table.column``, or ``table`` where no column of it is named.

        A name counts as the columns and tables of that name which either query reads; where the parser
        reads neither, as the one thing of the schema that is called so.
        """
        names = dict.fromkeys(
            token.name
            for item in self._changed()
            for token in item.tokens
            if token.kind in ("word", "double", "quoted")
        )
        paths = [derive(sql, self._material.schema) for sql in (self._material.sql, self._material.first.sql)]
        read = [anchor for path in paths for anchor in (*path.columns, *path.tables)]
        if read:
            found = [anchor for anchor in read if anchor.rpartition(".")[2].lower() in names]
        else:
            resolved = (resolve_anchor(f'"{name}"', self._material.schema) for name in names)
            found = [anchor_text(anchor) for anchor in resolved if anchor is not None]
        columned = {anchor.partition(".")[0] for anchor in found if "." in anchor}
        return tuple(dict.fromkeys(anchor for anchor in found if anchor not in columned))

    def _changed(self) -> Iterator[Item]:
        """The items that one query has and the other lacks."""
        for name in self.clauses:
            old, new = Counter(_keys(self._old, name)), Counter(_keys(self._new, name))
            for item in (*self._old.get(name, ()), *self._new.get(name, ())):
                if old[item.key] != new[item.key]:
                    yield item


def _keys(found: dict[str, list[Item]], name: str) -> list[tuple[str, ...]]:
    return [item.key for item in found.get(name, ())]


def _listed(names: Sequence[str]) -> str:
    """``a, b and c``."""
    head = ", ".join(names[:-1])
    return f"{head} and {names[-1]}" if head else "".join(names)
