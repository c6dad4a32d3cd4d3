"""From what SQLite's PRAGMAs tell to a Schema."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlmend.databases._schema import Column, ForeignKey, Schema, Table


class _Found(NamedTuple):
    """One table or view as the worker reports it.

    Attributes:
        name: As declared.
        kind: ``table`` or ``view``.
        columns: Rows of ``PRAGMA table_xinfo``: position, name, type, not null, default, key, hidden.
        foreign_keys: Rows of ``PRAGMA foreign_key_list``: id, position, table, from, to, and rules.
    """

    name: str
    kind: str
    columns: Sequence[tuple[Any, ...]]
    foreign_keys: Sequence[tuple[Any, ...]]

    def key(self) -> tuple[str, ...]:
        """Names of the primary key's columns, in the key's order."""
        return tuple(name for _, name in sorted((row[5], row[1]) for row in self.columns if row[5]))

    def declared(self, names: Iterable[str]) -> tuple[str, ...]:
        """Column names as this table writes them: SQLite takes any case in a key."""
        known = {row[1].casefold(): row[1] for row in self.columns}
        return tuple(known.get(name.casefold(), name) for name in names)


def schema_from(rows: Iterable[tuple[Any, ...]]) -> Schema:
    """The schema for the worker's rows: (name, kind, table_xinfo rows, foreign_key_list rows).

    Names in foreign keys are written as the tables declare them, where these exist; a key to a table that
    does not exist stays as it is written.
    """
    found = [_Found(*row) for row in rows]
    by_name = {table.name.casefold(): table for table in found}
    return Schema(tuple(_table(table, by_name) for table in found))


def _table(found: _Found, by_name: dict[str, _Found]) -> Table:
    columns = tuple(
        Column(name, declared or "", bool(not_null), bool(key))
        for _, name, declared, not_null, _, key, hidden in found.columns
        if hidden != 1  # the arguments of a virtual table; generated columns are 2 and 3
    )
    keys: dict[int, list[tuple[Any, ...]]] = {}
    for row in found.foreign_keys:
        keys.setdefault(row[0], []).append(row)
    # SQLite numbers them from the last declared to the first.
    foreign = tuple(_foreign_key(found, keys[number], by_name) for number in sorted(keys, reverse=True))
    return Table(found.name, columns, foreign, view=found.kind == "view")


def _foreign_key(found: _Found, rows: list[tuple[Any, ...]], by_name: dict[str, _Found]) -> ForeignKey:
    rows.sort(key=lambda row: row[1])
    written = rows[0][2]
    other = by_name.get(written.casefold())
    columns = found.declared(row[3] for row in rows)
    referenced = tuple(row[4] for row in rows if row[4] is not None)
    if other is None:
        return ForeignKey(columns, written, referenced)
    referenced = other.declared(referenced) or other.key()
    return ForeignKey(columns, other.name, referenced if len(referenced) == len(columns) else ())
