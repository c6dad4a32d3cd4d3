"""Writing statements, tried in a throw-away database."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmend.databases._pool import pool
from sqlmend.databases._process import WorkerGone, WorkerLate
from sqlmend.databases._statements import statements
from sqlmend.errors import SqlmendError

_ERRORS: dict[str, type[sqlite3.Error]] = {
    kind.__name__: kind
    for kind in (
        sqlite3.DatabaseError,
        sqlite3.DataError,
        sqlite3.IntegrityError,
        sqlite3.InternalError,
        sqlite3.NotSupportedError,
        sqlite3.OperationalError,
        sqlite3.ProgrammingError,
    )
}


@dataclass(frozen=True)
class Rehearsal:
    """What came of it.

    Attributes:
        error: SQLite's own error with its code, None where all statements ran.
        answers: The rows of each check; empty where there is an error.
    """

    error: sqlite3.Error | None
    answers: tuple[list[tuple[Any, ...]], ...] = ()


def rehearse(script: str, sql: str, checks: Sequence[str] = (), *, timeout_s: float = 10.0) -> Rehearsal:
    """Try statements that may write, in a fresh SQLite database in the memory of a sandboxed worker.

    They may read and change rows, nothing else: not the schema, no file, no setting, no transaction of their
    own. They run as one transaction, with foreign keys enforced, and nothing of them is kept.

    Args:
        script: Builds the database; trusted, because it runs without limits but that of time.
        sql: What is tried; untrusted.
        checks: Queries on what it left; trusted.
        timeout_s: Seconds for all of it.

    Raises:
        SqlmendError: The script or a check failed (``rehearsal``), or no worker can be started.
    """
    request = ("rehearse", "", None, timeout_s, script, list(statements(sql)), list(checks))
    if not request[-2]:
        return Rehearsal(sqlite3.ProgrammingError("there is no statement in the text"))
    try:
        reply = pool().call(request, timeout_s, database="")
    except WorkerLate:
        return Rehearsal(_error("OperationalError", "interrupted", sqlite3.SQLITE_INTERRUPT))
    except WorkerGone:
        return Rehearsal(_error("OperationalError", "the database worker ended before it answered", None))
    if reply[0] is not None:
        raise SqlmendError("rehearsal", f"the rehearsal's own statements failed: {reply[1]}")
    failure, answers = reply[1]
    return Rehearsal(_error(*failure)) if failure else Rehearsal(None, tuple(answers))


def _error(kind: str, text: str, code: int | None) -> sqlite3.Error:
    """The worker's error as it would have been raised here."""
    error = _ERRORS.get(kind, sqlite3.Error)(text)
    if code is not None:
        error.sqlite_errorcode = code
    return error
