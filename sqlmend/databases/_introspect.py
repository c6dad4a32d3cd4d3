"""From what SQLite's PRAGMAs tell to a Schema."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from sqlmend.databases._schema import Column, ForeignKey, Schema, Table

_HIDDEN = 1


def schema_from(found: Iterable[tuple[Any, ...]]) -> Schema:
    """The schema for the worker's rows: (name, kind, table_xinfo rows, foreign_key_list rows).

    Names in foreign keys are written as the tables and columns declare them, where these exist: SQLite
    takes any case. A key to a table that does not exist stays as it is written.
    """
    listed = [
        (name, kind, tuple(_column(row) for row in columns if row[6] != _HIDDEN), keys)
        for name, kind, columns, keys in found
    ]
    tables = {name.casefold(): Table(name, columns) for name, _, columns, _ in listed}
    return Schema(
        tuple(
            Table(name, columns, _foreign_keys(keys, tables[name.casefold()], tables), view=kind == "view")
            for name, kind, columns, keys in listed
        )
    )


def _column(row: tuple[Any, ...]) -> Column:
    _, name, declared, not_null, _, key, _ = row
    return Column(name, declared or "", bool(not_null), bool(key))


def _foreign_keys(
    rows: Iterable[tuple[Any, ...]], table: Table, tables: Mapping[str, Table]
) -> tuple[ForeignKey, ...]:
    by_id: dict[int, list[tuple[Any, ...]]] = {}
    for row in rows:
        by_id.setdefault(row[0], []).append(row)
    # SQLite numbers them from the last declared to the first.
    return tuple(_foreign_key(by_id[number], table, tables) for number in sorted(by_id, reverse=True))


def _foreign_key(rows: list[tuple[Any, ...]], table: Table, tables: Mapping[str, Table]) -> ForeignKey:
    rows = sorted(rows, key=lambda row: row[1])
    other = tables.get(rows[0][2].casefold())
    referenced = tuple(row[4] for row in rows if row[4] is not None)
    if not referenced and other is not None:
        referenced = tuple(column.name for column in other.columns if column.primary_key)
    return ForeignKey(
        columns=_declared((row[3] for row in rows), table),
        table=rows[0][2] if other is None else other.name,
        referenced=_declared(referenced, other),
    )


def _declared(names: Iterable[str], table: Table | None) -> tuple[str, ...]:
    known = {} if table is None else {column.name.casefold(): column.name for column in table.columns}
    return tuple(known.get(name.casefold(), name) for name in names)
