"""Keeps a few databases open and answers requests about them."""

from __future__ import annotations

import marshal
import os
import sqlite3
import time
from typing import Any

from . import introspect, rehearsal
from .confine import limit_cpu
from .guard import Guard, hides_refusal
from .limits import ENGINE_HEAP_BYTES, LOCK_WAIT_S, MAX_CONNECTIONS, MAX_RESULT_BYTES, PROGRESS_OPS
from .statement import Refused, only_statement

_PRAGMAS = (
    "trusted_schema=OFF",
    "query_only=ON",
    "temp_store=MEMORY",
    "cache_size=-8192",
    f"hard_heap_limit={ENGINE_HEAP_BYTES}",
)


class Sandbox:
    """Answers requests, one after the other."""

    def __init__(self) -> None:
        self._guard = Guard()
        self._open: dict[str, tuple[object, sqlite3.Connection]] = {}

    def answer(self, request: tuple[Any, ...]) -> tuple[Any, ...]:
        """Carry out one request: (operation, uri, stamp, seconds, *arguments).

        The operation is the name of a public method; a connection is kept as long as the stamp is the same.

        Returns:
            ``(None, result, elapsed_s)`` or ``(status or "", text, elapsed_s, error code)``.
        """
        operation, uri, stamp, seconds, *arguments = request
        begin = time.monotonic()
        self._guard.begin(seconds, trusted=operation != "execute")
        limit_cpu(seconds)
        status, code = "", 0
        try:
            result = getattr(self, operation)(uri, stamp, *arguments)
            return None, result, time.monotonic() - begin
        except Refused as refusal:
            status, text = refusal.status, str(refusal)
        except MemoryError:
            status, text = "too_large", "out of memory"
        except (sqlite3.Error, sqlite3.Warning) as error:
            text, code = str(error), getattr(error, "sqlite_errorcode", 0)
            if operation == "execute" and hides_refusal(text, arguments[0]):
                status = "denied"
        except UnicodeEncodeError as error:
            status, text = "syntax_error", f"the text is not valid Unicode: {error.reason}"
        except UnicodeDecodeError as error:
            status, text = "other_error", f"a name is not valid Unicode: {error.reason}"
        except OSError as error:
            status, text = "other_error", f"unable to open database file: {error.strerror}"
        return status, text, time.monotonic() - begin, code

    def execute(
        self, uri: str, stamp: object, sql: str, max_rows: int
    ) -> tuple[tuple[str, ...], list[bytes]]:
        """Run one statement; the columns, and the rows as marshalled lists of tuples."""
        statement = only_statement(sql)
        connection = self._connection(uri, stamp)
        try:
            return self._rows(connection, statement, max_rows)
        except sqlite3.OperationalError as error:
            if not str(error).startswith("Could not decode to UTF-8"):
                raise
            # Decoding in Python is slower, so it is done only for databases that need it.
            connection.text_factory = _lossless
            return self._rows(connection, statement, max_rows)

    def check(self, uri: str, stamp: object) -> None:
        """Read the schema table: fails unless this is a database."""
        self._connection(uri, stamp).execute("SELECT COUNT(*) FROM sqlite_master").close()

    def header(self, _: str, __: object, path: bytes) -> bytes:
        """The first bytes of a database file."""
        file = os.open(path, os.O_RDONLY)
        try:
            return os.read(file, 100)
        finally:
            os.close(file)

    def schema(self, uri: str, _: object) -> list[tuple[Any, ...]]:
        """What the database declares."""
        connection = self._connect(uri)
        connection.text_factory = _lossless
        try:
            return introspect.schema(connection, self._guard)
        finally:
            connection.close()

    def samples(self, uri: str, _: object, per_column: int) -> dict[str, dict[str, list[Any]]]:
        """A few values of each column."""
        connection = self._connect(uri)
        connection.text_factory = _lossless
        try:
            return introspect.samples(connection, self._guard, per_column)
        finally:
            connection.close()

    def rehearse(
        self, _: str, __: object, script: str, statements: list[str], checks: list[str]
    ) -> tuple[rehearsal.Failure | None, list[list[tuple[Any, ...]]]]:
        """Try writing statements in a database of their own, see ``rehearsal``."""
        return rehearsal.rehearse(self._guard, script, statements, checks)

    def _connection(self, uri: str, stamp: object) -> sqlite3.Connection:
        known = self._open.pop(uri, None)
        if known is not None and known[0] != stamp:
            known[1].close()
            known = None
        if known is None:
            while len(self._open) >= MAX_CONNECTIONS:
                self._open.pop(next(iter(self._open)))[1].close()
            known = (stamp, self._connect(uri))
        self._open[uri] = known
        return known[1]

    def _connect(self, uri: str) -> sqlite3.Connection:
        # No statement cache: every statement passes the authorizer.
        connection = sqlite3.connect(
            uri, uri=True, timeout=LOCK_WAIT_S, isolation_level=None, cached_statements=0
        )
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        for pragma in _PRAGMAS:
            connection.execute(f"PRAGMA {pragma}").close()
        connection.set_authorizer(self._guard.authorize)
        connection.set_progress_handler(self._guard.expired, PROGRESS_OPS)
        return connection

    def _rows(
        self, connection: sqlite3.Connection, statement: str, max_rows: int
    ) -> tuple[tuple[str, ...], list[bytes]]:
        cursor = connection.execute(statement)
        try:
            if cursor.description is None:
                raise Refused("denied", "not authorized: the statement is no query")
            chunks: list[bytes] = []
            count = size = 0
            step = 256
            while rows := cursor.fetchmany(min(step, max_rows - count + 1)):
                count += len(rows)
                if count > max_rows:
                    raise Refused("too_large", f"more than {max_rows} rows")
                chunks.append(marshal.dumps(rows))
                size += len(chunks[-1])
                if size > MAX_RESULT_BYTES:
                    raise Refused("too_large", f"more than {MAX_RESULT_BYTES} bytes of result")
                if self._guard.expired():
                    raise Refused("timeout", "interrupted")
                if len(rows) < step:
                    break
                step = 2048
            return tuple(column[0] for column in cursor.description), chunks
        finally:
            cursor.close()


def _lossless(data: bytes) -> str:
    return data.decode("utf-8", "surrogateescape")
