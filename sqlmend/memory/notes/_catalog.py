"""The schema behind a connection, read over that connection."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from typing import Any

from sqlmend.databases import Column, Schema, Table
from sqlmend.databases._introspect import schema_from
from sqlmend.databases._worker import introspect
from sqlmend.databases._worker.guard import Guard
from sqlmend.errors import InputError

_CATALOG_S = 10.0
#: Backend by the package that a driver's connection comes from.
_DRIVERS = {
    "sqlite3": "sqlite",
    "duckdb": "duckdb",
    "_duckdb": "duckdb",
    "psycopg": "postgres",
    "psycopg2": "postgres",
    "pg8000": "postgres",
    "pymysql": "mysql",
    "MySQLdb": "mysql",
    "mysql": "mysql",
    "mariadb": "mysql",
}
_COLUMNS = """
SELECT c.table_schema, c.table_name, c.column_name, c.data_type
FROM information_schema.columns c
JOIN information_schema.tables t ON t.table_schema = c.table_schema AND t.table_name = c.table_name
WHERE t.table_type <> 'VIEW' AND {where}
ORDER BY c.table_schema, c.table_name, c.ordinal_position
"""
_WHERE = {
    "mysql": "c.table_schema = DATABASE()",
    # PostgreSQL keeps `pg_` to itself: its catalog, and the temporary tables of each session, which no other
    # connection has.
    "postgres": "c.table_schema <> 'information_schema' AND c.table_schema !~ '^pg_'",
    "duckdb": "c.table_catalog = current_database()",
}
_DEFAULT_SCHEMAS = {"postgres": "public", "duckdb": "main"}


def backend_of(connection: Any) -> str:
    """The backend that a driver's connection leads to.

    Raises:
        InputError: The driver is unknown.
    """
    for kind in type(connection).__mro__:
        backend = _DRIVERS.get(kind.__module__.partition(".")[0])
        if backend is not None:
            return backend
    raise InputError(
        "unknown_driver",
        f"a {type(connection).__module__}.{type(connection).__name__} is of no known driver",
        hint="say where it leads with backend=, and give its schema with schema=",
    )


def read_schema(connection: Any, *, backend: str | None = None) -> Schema:
    """The tables behind a DB-API connection, for a fingerprint.

    For SQLite it is what ``open_database(path).schema()`` says of the same file. Elsewhere it is what
    ``information_schema`` lists of the present database: columns with their types. Tables of other schemas
    than the default one are named with theirs; temporary tables are left out.

    Args:
        connection: An open connection. One or a few SELECT statements run on it, in its transaction.
        backend: Where it leads; None: told by the driver.

    Raises:
        InputError: The driver is unknown, or a document store has no such connection.
    """
    backend = backend or backend_of(connection)
    if backend == "sqlite":
        return _sqlite(connection)
    if backend not in _WHERE:
        hint = "give it with schema="
        raise InputError("no_catalog", f"the schema of {backend} cannot be read here", hint=hint)
    source = (
        connection if backend == "duckdb" else connection.cursor()
    )  # a cursor of DuckDB is another session
    source.execute(_COLUMNS.format(where=_WHERE[backend]))
    rows = [_plain(row) for row in source.fetchall()]
    if source is not connection:
        source.close()
    return _from_rows(rows, _DEFAULT_SCHEMAS.get(backend))


def read_aside(connection: Any) -> Schema | None:
    """The schema behind a connection of DuckDB's, and the rows that wait on it stay.

    It is read as a relation: another session, as a cursor is, has another transaction and another USE. DuckDB
    refuses that while rows wait. Its release 1 does not and loses them, so it is asked only where none can.

    Returns:
        None where rows wait, or may.
    """
    if not hasattr(connection, "abort") and connection.description is not None:
        return None
    try:
        rows = connection.sql(_COLUMNS.format(where=_WHERE["duckdb"])).fetchall()
    except Exception as refused:
        if type(refused).__name__ == "ResourceInUseException":
            return None
        raise
    return _from_rows(rows, _DEFAULT_SCHEMAS["duckdb"])


def _plain(row: Any) -> tuple[Any, ...]:
    return tuple(row.values()) if isinstance(row, Mapping) else tuple(row)


def _from_rows(rows: Iterable[tuple[Any, ...]], default: str | None) -> Schema:
    columns: dict[str, list[Column]] = {}
    for schema, table, column, kind in rows:
        name = table if default is None or schema == default else f"{schema}.{table}"
        columns.setdefault(name, []).append(Column(column, str(kind)))
    return Schema(tuple(Table(name, tuple(found)) for name, found in columns.items()))


def _sqlite(connection: sqlite3.Connection) -> Schema:
    factories = connection.row_factory, connection.text_factory
    connection.row_factory, connection.text_factory = None, str
    try:
        guard = Guard()
        guard.begin(_CATALOG_S, trusted=True)
        return schema_from(introspect.schema(connection, guard))
    finally:
        connection.row_factory, connection.text_factory = factories
