"""Which part of the schema belongs to candidates: what they use, and what their view kept from them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlmend.databases import Schema, lint
from sqlmend.databases.views import Links, SchemaView, reduce_schema
from sqlmend.modules.contradictions._query import Query
from sqlmend.modules.rules import resolve_anchor
from sqlmend.modules.tree import Candidate, name_parts
from sqlmend.programs._episode import Episode

_UNKNOWN = re.compile(r"no such (?:column|table): (.+)", re.DOTALL)
_READ_AS_TEXT = re.compile(r"dqs_literal: (.+) is not a column", re.DOTALL)


def discussed(episode: Episode, candidates: Iterable[Candidate], anchors: Iterable[str] = ()) -> Links:
    """What the question is linked to, with the tables and columns that queries use and rules are bound to.

    Whoever judges candidates or rules must see all that they name: a part that is cut would look wrong.

    Args:
        episode: The episode.
        candidates: The candidates whose queries count.
        anchors: Anchors of rules; what is not in the schema is left out.
    """
    schema = episode.database.schema()
    named: dict[str, list[str]] = {}
    for candidate in candidates:
        if (query := Query.parse(candidate.sql, schema)) is None:
            continue
        for table in query.tables:
            named.setdefault(table.name, [])
        for _, ref in query.columns(query.tree):
            if (base := query.base(ref)) is not None:
                named.setdefault(base.table, []).append(base.column)
    for anchor in anchors:
        if (resolved := resolve_anchor(anchor, schema)) is not None:
            named.setdefault(resolved[0], []).append(resolved[1])
    return episode.reasoning.links | Links.of(schema, named)


def misled(candidate: Candidate, episode: Episode) -> bool:
    """Whether a query names something that is not where it looks for it, and that its view was cut of.

    Such a fault is that of the cut: nothing is to be learnt from it, and the whole schema mends it.
    """
    view = SchemaView.parse(candidate.view)
    schema = episode.database.schema()
    cut = reduce_schema(schema, episode.cut, view.reduction)
    return cut != schema and any(
        _has(schema, parts) and not _has(cut, parts) for parts in _not_found(candidate, schema)
    )


def _not_found(candidate: Candidate, schema: Schema) -> Iterator[tuple[str, ...]]:
    """The parts of the names that the database did not find, or read as text, in lower case."""
    result = candidate.result
    if result is None:
        return
    if result.ok:
        said = [match[1] for text in lint(candidate.sql, schema) if (match := _READ_AS_TEXT.match(text))]
    else:
        said = [match[1] for match in [_UNKNOWN.match(result.error or "")] if match]
    for name in said:
        parts = tuple(part.lower() for part in name_parts(name))
        if parts:
            yield _bare_where_unknown(parts, schema)


def _bare_where_unknown(parts: tuple[str, ...], schema: Schema) -> tuple[str, ...]:
    """(table, column) where that table has the column, else the name alone: whoever has it was meant."""
    return parts[-2:] if len(parts) > 1 and _has(schema, parts[-2:]) else parts[-1:]


def _has(schema: Schema, parts: tuple[str, ...]) -> bool:
    """Whether a schema has a column of that table, or a table or column of that name."""
    tables = {
        table.name.lower(): {column.name.lower() for column in table.columns} for table in schema.tables
    }
    if len(parts) > 1:
        return parts[1] in tables.get(parts[0], ())
    return parts[0] in tables or any(parts[0] in columns for columns in tables.values())
