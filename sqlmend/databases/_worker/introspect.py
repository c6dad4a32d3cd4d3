"""What a database declares, and samples of what it holds: the worker's own statements."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

from .guard import Guard
from .limits import SAMPLE_CHARACTERS, SAMPLED_ROWS


def schema(connection: sqlite3.Connection, guard: Guard) -> list[tuple[Any, ...]]:
    """(name, kind, table_xinfo rows, foreign_key_list rows) of each table and view."""
    found = []
    for name, kind in _listed(connection):
        try:
            columns = connection.execute(f"PRAGMA main.table_xinfo({_quoted(name)})").fetchall()
            keys = connection.execute(f"PRAGMA main.foreign_key_list({_quoted(name)})").fetchall()
        except sqlite3.OperationalError:
            # A view on a table that is gone, or a virtual table whose module is not here.
            if guard.expired():
                raise
        else:
            found.append((name, kind, columns, keys))
    return found


def samples(connection: sqlite3.Connection, guard: Guard, per_column: int) -> dict[str, dict[str, list[Any]]]:
    """A few distinct values of each column, from the first rows of each table.

    Views have none: what their first rows cost is unknown.
    """
    found = {}
    for name, kind in _listed(connection):
        if kind == "table":
            try:
                rows = connection.execute(f"SELECT * FROM main.{_quoted(name)} LIMIT {SAMPLED_ROWS}")
                found[name] = _distinct(rows, per_column)
            except sqlite3.OperationalError:
                if guard.expired():
                    raise
    return found


def _listed(connection: sqlite3.Connection) -> Iterator[tuple[str, str]]:
    """Name and kind of tables and views in the order of their creation, without those SQLite made itself."""
    shadows = {row[1] for row in connection.execute("PRAGMA main.table_list") if row[2] == "shadow"}
    listed = connection.execute(
        "SELECT name, type FROM sqlite_master WHERE type IN ('table', 'view') "
        "AND lower(substr(name, 1, 7)) <> 'sqlite_' ORDER BY rowid"
    ).fetchall()
    return ((name, kind) for name, kind in listed if name not in shadows)


def _distinct(cursor: sqlite3.Cursor, per_column: int) -> dict[str, list[Any]]:
    columns = [column[0] for column in cursor.description]
    seen: list[dict[Any, None]] = [{} for _ in columns]
    for row in cursor:
        for values, value in zip(seen, row, strict=True):
            if len(values) < per_column and value is not None and not isinstance(value, bytes):
                cut = isinstance(value, str) and len(value) > SAMPLE_CHARACTERS
                values[value[:SAMPLE_CHARACTERS] + "..." if cut else value] = None
        if all(len(values) == per_column for values in seen):
            break
    return {column: list(values) for column, values in zip(columns, seen, strict=True)}


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
