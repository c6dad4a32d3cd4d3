"""Anchors of rules: names in a schema."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmend.databases import Schema
from sqlmend.modules.tree import name_parts

#: (table, column) in the schema's spelling, the column ``""`` for a whole table.
Anchor = tuple[str, str]


def resolve_anchor(text: str, schema: Schema) -> Anchor | None:
    """What a name stands for: a table, ``table.column``, or a column that one table alone has.

    Case and quotes do not count. None where the schema has nothing of that name.
    """
    parts = [part.lower() for part in name_parts(text)]
    if not parts:
        return None
    for table in schema.tables:
        if len(parts) > 1 and table.name.lower() == parts[-2]:
            column = next((column.name for column in table.columns if column.name.lower() == parts[-1]), None)
            return (table.name, column) if column is not None else None
        if len(parts) == 1 and table.name.lower() == parts[0]:
            return table.name, ""
    if len(parts) > 1:
        return None
    owners = [(t.name, c.name) for t in schema.tables for c in t.columns if c.name.lower() == parts[0]]
    return owners[0] if len(owners) == 1 else None


def anchor_text(anchor: Anchor) -> str:
    """An anchor as rules hold it."""
    return ".".join(filter(None, anchor))


def anchored(anchors: Iterable[str], schema: Schema) -> bool:
    """Whether every anchor is in the schema, and there is one."""
    found = [resolve_anchor(text, schema) for text in anchors]
    return bool(found) and None not in found
