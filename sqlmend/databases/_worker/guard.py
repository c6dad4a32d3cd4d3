"""What the engine asks while it prepares and runs a statement: may it, and is there time left?"""

from __future__ import annotations

import re
import sqlite3
import time

from .statement import is_control

#: What no query may call, whether this build has it or not: they reach files, code or the tokenizer table.
FORBIDDEN_FUNCTIONS = frozenset(
    """
    load_extension readfile writefile edit eval define fts3_tokenizer icu_load_collation sha3_query sqlite_log
    fsdir lsdir zipfile zipfile_cds
    """.split()
)
_NAMED = re.compile(r"no such (?:function|table): (\w+)|wrong number of arguments to function (\w+)")
_SYNTAX = re.compile(r"syntax error|incomplete input|unrecognized token")
#: What reading a table asks for.
READING = frozenset({sqlite3.SQLITE_SELECT, sqlite3.SQLITE_READ, sqlite3.SQLITE_RECURSIVE})
_RTREE_TABLES = ("_node", "_rowid", "_parent")


class Guard:
    """Authorizer and clock of the statement at hand."""

    def __init__(self) -> None:
        self._deadline = 0.0
        self._trusted = False
        self._selecting = False

    def begin(self, seconds: float, *, trusted: bool) -> None:
        """Watch the next statement; a trusted one is the worker's own, and may use PRAGMAs that read."""
        self._deadline = time.monotonic() + seconds
        self._trusted = self._selecting = trusted

    def expired(self) -> bool:
        """Whether the statement has used up its time."""
        return time.monotonic() > self._deadline

    def authorize(self, action: int, first: str | None, second: str | None, *_: object) -> int:
        """Allow reading, nothing else."""
        if action == sqlite3.SQLITE_FUNCTION:
            allowed = (second or "").lower() not in FORBIDDEN_FUNCTIONS
        elif action in READING:
            self._selecting = self._selecting or action == sqlite3.SQLITE_SELECT
            allowed = True
        elif action == sqlite3.SQLITE_PRAGMA and self._trusted:
            allowed = True
        else:
            # For a statement that changes something the engine asks before it asks for its sub-queries.
            allowed = self._selecting and _of_virtual_table(action, first or "")
        return sqlite3.SQLITE_OK if allowed else sqlite3.SQLITE_DENY


def _of_virtual_table(action: int, first: str) -> bool:
    """Whether a virtual table asks this of its own accord while it connects inside a SELECT.

    Each declares its columns, FTS5 asks for the data version, and an R-tree prepares changes (which the
    read-only connection would not let it run).
    """
    if action == sqlite3.SQLITE_PRAGMA:
        return first == "data_version"
    if action == sqlite3.SQLITE_UPDATE:
        return first == "sqlite_master"
    return action in (sqlite3.SQLITE_INSERT, sqlite3.SQLITE_DELETE) and first.endswith(_RTREE_TABLES)


def hides_refusal(text: str, sql: str) -> bool:
    """Whether a statement that failed with ``text`` would have been refused, had it got that far."""
    named = _NAMED.search(text)
    name = (named[1] or named[2]).lower() if named else ""
    if name in FORBIDDEN_FUNCTIONS and re.search(rf"\b{name}\s*\(", sql, re.IGNORECASE):
        return True
    return not _SYNTAX.search(text) and is_control(sql)
