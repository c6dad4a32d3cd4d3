"""Schema findings: names that are not there, and joins that no key supports."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlmend.databases import Schema, Table, lint
from sqlmend.modules.contradictions._finding import Anchor, Finding, some_anchors
from sqlmend.modules.contradictions._query import Block, Query, Ref, Source, is_column_pair, parts_of
from sqlmend.modules.tree import Candidate

#: A column of one of these names means another thing in each table; any other name is one thing.
_GENERIC = frozenset(("id", "code", "key", "no", "nr", "number", "uid", "uuid", "pk"))
_STATUSES = ("unknown_table", "unknown_column", "unknown_function", "ambiguous_column")


def name_findings(candidate: Candidate, schema: Schema) -> Iterator[Finding]:
    """Names that the database does not know, as it says itself, and words that it reads as text instead."""
    result = candidate.result
    if result is not None and result.status in _STATUSES:
        said = result.error or result.status
        where, holders = _where(said, schema) if result.status == "unknown_column" else ("", ())
        yield Finding("schema", result.status, f"{said}{where}", (candidate.label,), holders)
    if result is not None and result.ok:
        for diagnostic in lint(candidate.sql, schema):
            yield Finding("schema", "unknown_column", diagnostic.partition(": ")[2], (candidate.label,))


def _where(error: str, schema: Schema) -> tuple[str, tuple[Anchor, ...]]:
    """What the schema says of a column that was not found, and the columns of that name."""
    *qualifier, name = error.rpartition(": ")[2].lower().split(".")
    holders = [
        (table.name, column.name)
        for table in schema.tables
        for column in table.columns
        if column.name.lower() == name
    ]
    for holder in holders:
        if qualifier == [holder[0].lower()]:
            return f": {holder[0]} is not in FROM", (holder,)
    tables = " and ".join(table for table, _ in holders)
    return f": it is in {tables}" if holders else "", some_anchors(holders, ())


def join_findings(label: str, query: Query, schema: Schema) -> Iterator[Finding]:
    """Tables that nothing joins, and tables that are joined on columns that identify different things."""
    for block in query.blocks:
        links = _links(block, query)
        for one, other in links.equal:
            here, there = _domain(one, schema), _domain(other, schema)
            shared = one.column.lower() == other.column.lower() and one.column.lower() not in _GENERIC
            if here and there and here != there and not shared:
                yield Finding(
                    "schema",
                    "no_key",
                    f"{_named(one)} = {_named(other)} joins ids of {here} with ids of {there}",
                    (label,),
                    (one.anchor, other.anchor),
                )
        for lone in _unlinked(block, links):
            yield Finding(
                "schema",
                "no_key",
                f"nothing joins {lone.name} with the other tables, so that every row meets every row",
                (label,),
                ((lone.name, ""),),
            )


class _Links:
    """Which sources of a block are connected, and by which equal columns."""

    def __init__(self) -> None:
        self.equal: list[tuple[Ref, Ref]] = []
        self.connected: list[set[int]] = []


def _links(block: Block, query: Query) -> _Links:
    links = _Links()
    select = block.select
    own = {id(source) for source in block.sources}
    conditions: list[Any] = [where.this for key in ("where", "having") if (where := select.args.get(key))]
    joins = select.args.get("joins") or []
    for join in joins:
        if join.args.get("on") is not None:
            conditions.append(join.args["on"])
        if join.args.get("using") or join.args.get("method"):
            links.connected.append({id(source) for source in block.sources})
    for part in (part for condition in conditions for part in parts_of(condition)):
        refs = [ref for _, ref in query.columns(part) if id(ref.source) in own]
        if len({id(ref.source) for ref in refs}) > 1:
            links.connected.append({id(ref.source) for ref in refs})
            if is_column_pair(part) and len(refs) == 2:
                bases = [query.base(ref) for ref in refs]
                if bases[0] is not None and bases[1] is not None:
                    links.equal.append((bases[0], bases[1]))
    return links


def _unlinked(block: Block, links: _Links) -> list[Source]:
    """Base tables of a block that have no connection with its first source."""
    if len(block.sources) < 2 or any(source.table is None for source in block.sources):
        return []
    reached = {id(block.sources[0])}
    while more := [group for group in links.connected if group & reached and not group <= reached]:
        reached.update(*more)
    return [source for source in block.sources if id(source) not in reached][:1]


def _domain(ref: Ref, schema: Schema) -> str:
    """The table whose rows a column's values identify: as its key, or by referring to it; ``""`` for none."""
    tables = {table.name.lower(): table for table in schema.tables}
    table, column = ref.source.table, ref.column
    for _ in range(len(tables) + 1):
        if table is None:
            return ""
        target = _referenced(table, column)
        if target is None:
            break
        table, column = tables.get(target[0].lower()), target[1]
    if table is None:
        return ""
    key = [c.name for c in table.columns if c.primary_key]
    return table.name if [name.lower() for name in key] == [column.lower()] else ""


def _referenced(table: Table, column: str) -> tuple[str, str] | None:
    for key in table.foreign_keys:
        for own, other in zip(key.columns, key.referenced, strict=False):
            if own.lower() == column.lower() and (key.table.lower(), other.lower()) != (
                table.name.lower(),
                column.lower(),
            ):
                return key.table, other
    return None


def _named(ref: Ref) -> str:
    return f"{ref.table}.{ref.column}"
