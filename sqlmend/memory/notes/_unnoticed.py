"""Reading the schema on the way to a statement, so that neither it nor its transaction notices."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, Literal

from sqlmend.databases import Schema
from sqlmend.memory.notes._catalog import read_aside, read_schema

Transaction = Literal["none", "busy", "open", "failed"]

#: libpq's numbers, in psycopg and psycopg2.
_STATES: tuple[Transaction, ...] = ("none", "busy", "open", "failed", "failed")
_MARK = "sqlmend_notes"


def transaction_of(connection: Any) -> Transaction | None:
    """How it stands with the transaction of a connection; None where the driver does not tell."""
    try:
        inside = getattr(connection, "in_transaction", None)
        if isinstance(inside, bool):
            return "open" if inside else "none"
        status: int = connection.info.transaction_status
        return _STATES[status]
    except Exception:  # noqa: BLE001 - another driver, or a closed connection
        return None


def read_on_the_way(connection: Any, backend: str, *, aside: bool = False) -> Schema | None:
    """The schema behind a connection; None where this is no time to ask, as the transaction has failed.

    Args:
        connection: Asked.
        backend: Where it leads.
        aside: Whether rows that wait on it must stay, as the statement itself leaves them there.

    Raises:
        Exception: Whatever the driver raises. The transaction is as it was.
    """
    state = transaction_of(connection)
    if state in ("failed", "busy"):
        return None
    if aside:
        return read_aside(connection)
    unnoticed: AbstractContextManager[None] = nullcontext()
    if backend == "postgres":
        unnoticed = _savepoint(connection, state)
    elif isinstance(connection, sqlite3.Connection):
        unnoticed = _without_waiting(connection)
    with unnoticed:
        return read_schema(connection, backend=backend)


@contextmanager
def _savepoint(connection: Any, state: Transaction | None) -> Iterator[None]:
    """In PostgreSQL a query that fails takes its transaction with it, but not beyond a savepoint."""
    if state != "open" and getattr(connection, "autocommit", True):
        yield
        return
    cursor = connection.cursor()
    cursor.execute(f"SAVEPOINT {_MARK}")
    try:
        yield
    except Exception:
        cursor.execute(f"ROLLBACK TO SAVEPOINT {_MARK}")
        raise
    finally:
        cursor.execute(f"RELEASE SAVEPOINT {_MARK}")
        cursor.close()


@contextmanager
def _without_waiting(connection: sqlite3.Connection) -> Iterator[None]:
    """Where another process holds the lock, the statement waits for it long enough."""
    cursor = connection.cursor()
    cursor.row_factory = None
    (waits_ms,) = cursor.execute("PRAGMA busy_timeout").fetchone()
    cursor.execute("PRAGMA busy_timeout = 0")
    try:
        yield
    finally:
        cursor.execute(f"PRAGMA busy_timeout = {waits_ms}")
        cursor.close()
