"""A schema as text for people and models."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from sqlmend._text import cap
from sqlmend.databases._descriptions import Descriptions
from sqlmend.databases._schema import Column, ForeignKey, Schema, Table

_BARE = re.compile(r"(?!\d)\w[\w$]*")
#: What SQLite misreads without quotes in some place where a name may stand, and the words of joins.
_RESERVED = frozenset(
    """
    add all alter and as autoincrement between case cast check collate commit constraint create cross
    current_date current_time current_timestamp default deferrable delete distinct drop else escape except
    exists foreign from full group having if in index inner insert intersect into is isnull join left limit
    natural not nothing notnull null on or order outer primary raise references returning right select set
    table then to transaction union unique update using values when where with
    """.split()
)
_COMMENT_CHARACTERS = 300

Samples = Mapping[str, Mapping[str, Sequence[Any]]]


def quote_name(name: str) -> str:
    """``name`` as an SQL identifier, in double quotes only where it needs them."""
    if _BARE.fullmatch(name) and name.lower() not in _RESERVED:
        return name
    return '"' + name.replace('"', '""') + '"'


def render_ddl(
    schema: Schema, samples: Samples | None = None, descriptions: Descriptions | None = None
) -> str:
    """The schema as CREATE TABLE statements, one column a line.

    Args:
        schema: What to render.
        samples: Values by table and column, shown as ``e.g.`` comments.
        descriptions: What the columns mean, shown as comments.
    """
    return "\n\n".join(
        _table(table, (samples or {}).get(table.name, {}), descriptions) for table in schema.tables
    )


def _table(table: Table, samples: Mapping[str, Sequence[Any]], descriptions: Descriptions | None) -> str:
    key = [column.name for column in table.columns if column.primary_key]
    lines = [
        (_column(column, alone=len(key) == 1), _comment(table, column, samples, descriptions))
        for column in table.columns
    ]
    if len(key) > 1:
        lines.append((f"PRIMARY KEY {_names(key)}", ""))
    lines += [(_foreign_key(foreign), "") for foreign in table.foreign_keys]
    last = len(lines) - 1
    body = "\n".join(
        f"  {code}{'' if number == last else ','}{comment}" for number, (code, comment) in enumerate(lines)
    )
    return f"CREATE {'VIEW' if table.view else 'TABLE'} {quote_name(table.name)} (\n{body}\n);"


def _column(column: Column, *, alone: bool) -> str:
    parts = [quote_name(column.name), column.type, "NOT NULL" if column.not_null else ""]
    parts.append("PRIMARY KEY" if column.primary_key and alone else "")
    return " ".join(" ".join(part.split()) if part is column.type else part for part in parts if part)


def _foreign_key(foreign: ForeignKey) -> str:
    referenced = f" {_names(foreign.referenced)}" if foreign.referenced else ""
    return f"FOREIGN KEY {_names(foreign.columns)} REFERENCES {quote_name(foreign.table)}{referenced}"


def _names(names: Sequence[str]) -> str:
    return f"({', '.join(map(quote_name, names))})"


def _comment(
    table: Table, column: Column, samples: Mapping[str, Sequence[Any]], descriptions: Descriptions | None
) -> str:
    described = descriptions.get(table.name, column.name) if descriptions else None
    values = samples.get(column.name, ())
    parts = [cap(described.text(), _COMMENT_CHARACTERS)] if described and described.text() else []
    if values:
        parts.append("e.g. " + ", ".join(map(_literal, values)))
    # A line break in a value or description would end the comment and go on as SQL.
    return " -- " + " ".join("; ".join(parts).split()) if parts else ""


def _literal(value: Any) -> str:
    return "'" + value.replace("'", "''") + "'" if isinstance(value, str) else str(value)
