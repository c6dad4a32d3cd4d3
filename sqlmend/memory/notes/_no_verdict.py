"""What is raised around a statement and says nothing of it."""

from __future__ import annotations

import re
import sqlite3
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlmend.memory.notes._verdict import Verdict

#: SQLSTATEs: the transaction had failed before, or the connection is gone.
_STATES = ("25P02", "08", "57P0")
#: MySQL's clients number their own errors so.
_CLIENTS_NUMBERS = range(2000, 3000)
#: PEP 249's name for what is the driver's own matter; PyMongo's and Python's for a connection that is gone.
_NAMES = frozenset(("InterfaceError", "ConnectionFailure", "ConnectionError"))
_TEXTS = re.compile(
    r"(?:(?:ERROR|FATAL): +|TransactionContext Error: )?(?:"
    r"current transaction is aborted"
    r"|Connection Error:|Connection (?:has )?already (?:been )?closed"
    # PostgreSQL's clients
    r"|(?:(?:consuming input|sending query) failed: )?server closed the connection unexpectedly"
    r"|terminating connection (?:due to administrator command|because of)"
    r"|the (?:connection|cursor) is (?:closed|lost)|(?:connection|cursor) already closed"
    r"|no connection to the server|could not connect to server|connection to server .* failed"
    r"|SSL connection has been closed unexpectedly|SSL SYSCALL error"
    r"|no results to fetch|the last operation didn't produce"
    # sqlite3
    r"|Cannot operate on a closed (?:database|cursor)|SQLite objects created in a thread"
    r"|Incorrect number of bindings supplied|You did not supply a value for binding|Error binding parameter"
    r"|You can only execute one statement at a time"
    # MySQL's clients
    r"|Lost connection to MySQL|MySQL server has gone away|MySQL Connection not available"
    r"|Can't connect to (?:local )?MySQL|Commands out of sync"
    # DuckDB tells no codes
    r"|Resource In Use Error:"  # rows of another statement wait
    r"|Invalid Input Error: "
    r"(?:No open result set|Values were not provided|Parameter argument/count mismatch))",
    re.IGNORECASE,
)


def says_nothing(error: BaseException | str, told: Verdict) -> bool:
    """Whether an error is no verdict on the statement.

    It is none where the driver objects before it asks or after it has an answer, where the connection is
    gone, and where an earlier statement has failed the transaction. Codes decide, and the text where no code
    came.

    Args:
        error: What was raised, or its text.
        told: What was read off it.
    """
    if _NAMES.intersection(told.names):
        return True
    if hasattr(error, "sqlite_errorcode"):
        return False  # its numbers are not those of MySQL's clients
    if told.number in _CLIENTS_NUMBERS or told.sqlstate.startswith(_STATES):
        return True
    if told.sqlstate or told.number is not None:
        return False
    return _gives_codes(error) or _TEXTS.match(told.text) is not None


def _gives_codes(error: BaseException | str) -> bool:
    """Whether its driver hands on the codes of whatever the database says, so that without one it did not."""
    of_sqlite = isinstance(error, sqlite3.Error | sqlite3.Warning)
    return of_sqlite or hasattr(error, "sqlstate") or hasattr(error, "pgcode")
