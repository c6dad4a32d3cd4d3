"""The hardened SQLite database."""

from __future__ import annotations

import marshal
import sqlite3
import time
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlmend.databases._introspect import schema_from
from sqlmend.databases._outcome import Outcome
from sqlmend.databases._pool import pool
from sqlmend.databases._process import WorkerGone, WorkerLate
from sqlmend.databases._schema import Schema
from sqlmend.databases._source import Source, SourceFinder
from sqlmend.databases._status import status_of
from sqlmend.errors import InputError, SqlmendError

_LONGEST_S = 1_000_000.0
_INTROSPECTION_S = 60.0
_LEAST_S = 0.001
#: How often a statement is repeated because the file changed under it.
_REPEATS = 3
#: What SQLite says of the file; where it says so of no text but of one, only what that one reads is damaged.
_OF_THE_FILE = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_PROTOCOL,
    )
)


class _Allowance:
    """What workers may still take; copies and waiting for a worker take nothing of it."""

    def __init__(self, seconds: float) -> None:
        self.left_s = min(seconds, _LONGEST_S)

    def spend(self, seconds: float) -> None:
        self.left_s = max(self.left_s - seconds, _LEAST_S)


class SqliteDatabase:
    """One SQLite file, read by sandboxed workers; see ``Database`` for the contract.

    Thread-safe, and usable on both sides of a fork. It holds no connection itself.

    Args:
        path: The database file.

    Raises:
        InputError: There is no file, or it is no SQLite database.
    """

    dialect = "sqlite"

    def __init__(self, path: Path | str) -> None:
        self._path = _checked(Path(path))
        self._sources = SourceFinder(self._path)
        self._schema: Schema | None = None
        try:
            self._ask("check", _Allowance(_INTROSPECTION_S))
        except SqlmendError as error:
            if error.code == "worker_start":
                raise
            if error.context.get("sqlite_code") in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
                raise _no_database(self._path, error.message) from error
            context = {"path": str(self._path)}
            raise InputError(error.code, error.message, hint=error.hint, context=context) from error

    @property
    def path(self) -> Path:
        """The database file, absolute."""
        return self._path

    def execute(self, sql: str, *, timeout_s: float = 30.0, max_rows: int = 1_000_000) -> Outcome:
        """Run one read-only statement; see ``Database.execute``."""
        if not timeout_s > 0:
            raise ValueError(f"timeout_s must be positive; got {timeout_s!r}")
        if not max_rows > 0:
            raise ValueError(f"max_rows must be positive; got {max_rows!r}")
        begin, allowance = time.monotonic(), _Allowance(timeout_s)
        try:
            reply = self._reply("execute", allowance, sql, max_rows)
            if reply[0] is not None and reply[3] & 0xFF in _OF_THE_FILE:
                # It raises where no other text would run either. Otherwise what was wrong may be over.
                self._ask("check", allowance)
                reply = self._reply("execute", allowance, sql, max_rows)
        except WorkerLate:
            return Outcome("timeout", error="interrupted", elapsed_s=time.monotonic() - begin)
        except WorkerGone:
            text = "the database worker ended before it answered"
            return Outcome("other_error", error=text, elapsed_s=time.monotonic() - begin, lost=True)
        if reply[0] is not None:
            status, text, elapsed_s, code = reply
            if code & 0xFF == sqlite3.SQLITE_BUSY:
                raise self._unreadable(reply)  # locked again: no text's fault
            return Outcome(status or status_of(code, text), error=text, elapsed_s=elapsed_s)
        _, (columns, chunks), elapsed_s = reply
        rows: list[tuple[Any, ...]] = []
        for chunk in chunks:
            rows += marshal.loads(chunk)
        return Outcome("ok", columns, rows, elapsed_s=elapsed_s)

    def schema(self) -> Schema:
        """Tables and views with columns and keys, in the order of their creation; read once and kept."""
        if self._schema is None:
            self._schema = schema_from(self._ask("schema", _Allowance(_INTROSPECTION_S)))
        return self._schema

    def samples(self, per_column: int = 3) -> dict[str, dict[str, list[Any]]]:
        """A few distinct values of each column, by table and column.

        They come from the first 500 rows of each table; long text is cut, NULL and blobs are left out.
        """
        allowance = _Allowance(_INTROSPECTION_S)
        samples: dict[str, dict[str, list[Any]]] = self._ask("samples", allowance, per_column)
        return samples

    def _reply(self, operation: str, allowance: _Allowance, *arguments: object) -> tuple[Any, ...]:
        for _ in range(_REPEATS):
            source = self._sources.current()
            reply = self._reply_from(source, operation, allowance, arguments)
            if reply[0] is not None and reply[3] == sqlite3.SQLITE_READONLY_ROLLBACK:
                source = self._sources.recovered()
                reply = self._reply_from(source, operation, allowance, arguments)
            elif source.immutable and reply[0] != "timeout" and self._sources.stamp() != source.stamp:
                continue
            break
        return reply

    @staticmethod
    def _reply_from(
        source: Source, operation: str, allowance: _Allowance, arguments: tuple[object, ...]
    ) -> tuple[Any, ...]:
        request = (operation, source.uri, source.stamp, allowance.left_s, *arguments)
        reply = pool().call(request, allowance.left_s, database=source.uri)
        allowance.spend(reply[2])
        return reply

    def _ask(self, operation: str, allowance: _Allowance, *arguments: object) -> Any:
        try:
            reply = self._reply(operation, allowance, *arguments)
        except (WorkerLate, WorkerGone) as error:
            raise SqlmendError("database_unreadable", f"no answer from {self._path} in time") from error
        if reply[0] is not None:
            raise self._unreadable(reply)
        return reply[1]

    def _unreadable(self, reply: tuple[Any, ...]) -> SqlmendError:
        return SqlmendError(
            "database_unreadable",
            f"{self._path} cannot be read: {reply[1]}",
            context={"sqlite_code": reply[3]},
        )

    def close(self) -> None:
        """Let go of a private copy, if there is one; the workers are shared by all databases."""
        self._sources = SourceFinder(self._path)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce__(self) -> tuple[type[SqliteDatabase], tuple[Path]]:
        return SqliteDatabase, (self._path,)

    def __repr__(self) -> str:
        return f"SqliteDatabase({str(self._path)!r})"


def _checked(path: Path) -> Path:
    # Looked at, never opened: see SourceFinder.
    try:
        if path.is_dir():
            raise InputError(
                "database_is_folder", f"{path} is a folder, not a database file", context={"path": str(path)}
            )
        if not path.is_file():
            raise InputError("no_such_database", f"no database file {path}", context={"path": str(path)})
        if path.stat().st_size == 0:
            raise _no_database(path, "it is empty")
    except OSError as error:
        raise InputError("database_unreadable", f"{path}: {error}", context={"path": str(path)}) from error
    return path.resolve()


def _no_database(path: Path, reason: str) -> InputError:
    return InputError(
        "not_a_database",
        f"{path} is no SQLite database: {reason}",
        hint="give a file made by SQLite, version 3",
        context={"path": str(path)},
    )
