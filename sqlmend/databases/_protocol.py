"""What every database offers to programs and to the oracle."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from sqlmend.databases._outcome import Outcome
from sqlmend.databases._schema import Schema


@runtime_checkable
class Database(Protocol):
    """A database that runs one read-only statement at a time.

    Duties:
        1. ``execute`` never raises for any ``str``; whatever goes wrong with one is a status with a text. A
           database that cannot be read any more is nobody's text: it raises.
        2. Nothing it runs can change the database, another file or the process that asks.
        3. The text runs as written; two statements run not at all.
        4. ``execute`` returns within its time limit, give or take a second. The limit is the statement's: a
           private copy that has to be made first (SQLite in WAL mode, with a log) has its own.
        5. ``schema`` is a value: equal schemas are equal objects with equal fingerprints.
    """

    @property
    def dialect(self) -> str:
        """The SQL dialect by its name in sqlglot, e.g. ``sqlite``."""
        ...

    def execute(self, sql: str, *, timeout_s: float = 30.0, max_rows: int = 1_000_000) -> Outcome:
        """Run one read-only statement.

        Args:
            sql: Any text.
            timeout_s: Seconds after which it is stopped; positive.
            max_rows: More rows than this are ``too_large``; positive.

        Raises:
            ValueError: A limit that is not positive.
            SqlmendError: The database itself cannot be read, so that no text could run.
        """
        ...

    def schema(self) -> Schema:
        """The schema; read once and kept."""
        ...

    def close(self) -> None:
        """Let go of workers and files; closing twice is fine."""
        ...
