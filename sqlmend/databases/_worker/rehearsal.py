"""Writing statements in a database that exists for them alone: in memory, in the sandbox, gone afterwards.

No file is opened, so that the limits on this process, which leave no way to write a byte, stay as they are.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from typing import Any

from .guard import FORBIDDEN_FUNCTIONS, READING, Guard
from .limits import ENGINE_HEAP_BYTES, PROGRESS_OPS
from .statement import Refused

_WRITING = frozenset({sqlite3.SQLITE_INSERT, sqlite3.SQLITE_UPDATE, sqlite3.SQLITE_DELETE})
_MAX_ROWS = 10_000

#: Name of the error's class, its text and its (extended) code.
Failure = tuple[str, str, int | None]


def rehearse(
    guard: Guard, script: str, statements: Sequence[str], checks: Sequence[str]
) -> tuple[Failure | None, list[list[tuple[Any, ...]]]]:
    """Build the database, run the statements as one transaction, and ask what it then holds.

    Args:
        guard: Knows how much time is left.
        script: Builds the database; trusted.
        statements: What is tried; they may read and change rows of its tables, and nothing else.
        checks: Queries on what they left; trusted.

    Returns:
        Why the statements failed, or None and the rows of each check.

    Raises:
        sqlite3.Error: The script or a check failed.
        Refused: A check has too many rows.
    """
    connection = sqlite3.connect(":memory:", isolation_level=None, cached_statements=0)
    try:
        for setting in ("trusted_schema=OFF", "temp_store=MEMORY", f"hard_heap_limit={ENGINE_HEAP_BYTES}"):
            connection.execute(f"PRAGMA {setting}").close()
        connection.set_progress_handler(guard.expired, PROGRESS_OPS)
        connection.executescript(script)
        # REPLACE would pass by the triggers that forbid to delete.
        for setting in ("foreign_keys=ON", "recursive_triggers=ON"):
            connection.execute(f"PRAGMA {setting}").close()
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        failure = _try(connection, statements)
        return failure, [] if failure else [_rows(connection, check) for check in checks]
    finally:
        connection.close()


def _try(connection: sqlite3.Connection, statements: Sequence[str]) -> Failure | None:
    connection.execute("BEGIN").close()
    connection.set_authorizer(_authorize)
    try:
        for statement in statements:
            cursor = connection.execute(statement)
            while cursor.fetchmany(1000):
                pass
            cursor.close()
        connection.set_authorizer(None)
        connection.execute("COMMIT").close()
    # A ValueError is text that cannot be sent.
    except (sqlite3.Error, sqlite3.Warning, ValueError) as error:
        kind = type(error).__name__ if isinstance(error, sqlite3.Error) else "ProgrammingError"
        return kind, str(error), getattr(error, "sqlite_errorcode", None)
    return None


def _authorize(action: int, first: str | None, second: str | None, *_: object) -> int:
    """Allow to read and to change rows; not the schema, whose triggers are the rules, nor the transaction."""
    if action == sqlite3.SQLITE_FUNCTION:
        allowed = (second or "").lower() not in FORBIDDEN_FUNCTIONS
    elif action in _WRITING:
        allowed = not (first or "").lower().startswith("sqlite_")
    else:
        allowed = action in READING
    return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _rows(connection: sqlite3.Connection, check: str) -> list[tuple[Any, ...]]:
    rows = connection.execute(check).fetchmany(_MAX_ROWS + 1)
    if len(rows) > _MAX_ROWS:
        raise Refused("too_large", f"more than {_MAX_ROWS} rows")
    return rows
