"""Watching a connection: what is refused on it becomes a note, and nothing else changes."""

from __future__ import annotations

import logging
import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any

from sqlmend.memory.notes._catalog import backend_of, read_schema
from sqlmend.memory.notes._key import SchemaLike, check_backend
from sqlmend.memory.notes._verdict import OTHER_STATES

if TYPE_CHECKING:
    from sqlmend.memory.notes._notes import FailureNotes

_logger = logging.getLogger(__name__)

#: After a refusal so many statements that ran are looked at for what worked in its place.
_LOOKED_AT = 100

_RUNS = frozenset(("execute", "executemany", "executescript", "sql", "query"))
#: How drivers name the statement where it is not given by its place.
_STATEMENTS = ("query", "sql", "operation", "statement")
_BEFORE = r"(?>\s+|\(|--[^\n]*+|/\*.*?\*/)*+"  # comments, too: libraries tell there who asks
# Before these it does no harm to read the schema; a SET TRANSACTION would have to come first.
_DATA = re.compile(
    _BEFORE + r"(?:select|with|values|table|insert|update|delete|replace|merge|create|alter|drop|call|do)\b",
    re.IGNORECASE | re.DOTALL,
)
_DDL = re.compile(rf"(?:\A{_BEFORE}|;\s*)(?:create|alter|drop|rename)\b", re.IGNORECASE | re.DOTALL)

#: MySQL's clients number their own errors so.
_CLIENTS_NUMBERS = range(2000, 3000)
# DuckDB tells no codes.
_OTHER_TEXTS = re.compile(
    r"\ATransactionContext Error: Current transaction is aborted|\AConnection Error:"
    r"|\AInvalid Input Error: "
    r"(?:No open result set|Values were not provided|Parameter argument/count mismatch)"
)


class Recorder:
    """Tells notes of what was refused on a backend, and afterwards of what ran.

    Args:
        notes: Told of it; they never raise.
        backend: Where the statements run.
        schema: The schema behind it; None: it is read over the connection that the statement runs on, before
            the first statement that reads or writes, and before the next one after a DDL statement.

    Attributes:
        active: Whether it records; it ends where the schema cannot be read.
    """

    def __init__(self, notes: FailureNotes, backend: str, schema: SchemaLike | None) -> None:
        self.active = True
        self._notes = notes
        self._backend = backend
        self._schema = schema
        self._fixed = schema is not None
        self._to_look_at = 0

    def prepare(self, sql: str | None, connection: Any) -> None:
        """Know the schema before a statement runs: after a refusal the transaction may be of no use."""
        if self._schema is None and self.active and sql is not None and _DATA.match(sql):
            try:
                self._schema = read_schema(connection, backend=self._backend)
            except Exception as trouble:  # noqa: BLE001 - the statement itself has to run
                self.active = False
                _logger.warning("nothing is recorded here, the schema cannot be read: %s", trouble)

    def refused(self, sql: str | None, error: BaseException) -> None:
        """Record a refusal, if it is the machine's."""
        if not self.active or self._schema is None or sql is None or not _is_verdict(error):
            return
        self._notes.record(sql, self._schema, backend=self._backend, error=error)
        self._to_look_at = _LOOKED_AT

    def ran(self, sql: str | None) -> None:
        """Tell of a statement that ran where a refusal may learn from it; see if it changed the schema."""
        if not self.active or sql is None:
            return
        if self._to_look_at and self._schema is not None:
            self._to_look_at -= 1
            self._notes.worked(sql, self._schema, backend=self._backend)
        if not self._fixed and _DDL.search(sql):
            self._schema = None


class Proxy:
    """A DB-API connection or cursor that is watched; everything goes through to it.

    Args:
        target: The connection or cursor.
        recorder: Told of what is refused.
        connection: The connection that it belongs to.
    """

    __slots__ = ("_connection", "_recorder", "_sql", "_target")

    def __init__(self, target: Any, recorder: Recorder, connection: Any) -> None:
        object.__setattr__(self, "_target", target)
        object.__setattr__(self, "_recorder", recorder)
        object.__setattr__(self, "_connection", connection)
        object.__setattr__(self, "_sql", None)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if name in _RUNS:
            return partial(self._run, value)
        if name.startswith("fetch"):
            return partial(self._fetch, value)
        if name == "cursor":
            return partial(self._open, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._target, name, value)

    def __enter__(self) -> Any:
        return self._wrapped(self._target.__enter__())

    def __exit__(self, *stop: Any) -> Any:
        return self._target.__exit__(*stop)

    def __iter__(self) -> Iterator[Any]:
        return self._rows(iter(self._target))

    def __next__(self) -> Any:
        return self._fetch(self._target.__next__)

    def _rows(self, rows: Iterator[Any]) -> Iterator[Any]:
        try:
            yield from rows
        except Exception as error:
            self._recorder.refused(self._sql, error)
            raise

    def _run(self, call: Callable[..., Any], /, *arguments: Any, **settings: Any) -> Any:
        given = arguments or tuple(settings[name] for name in _STATEMENTS if name in settings)
        sql = _text(given[0], self._connection) if given else None
        self._recorder.prepare(sql, self._connection)
        object.__setattr__(self, "_sql", sql)
        try:
            result = call(*arguments, **settings)
        except Exception as error:
            self._recorder.refused(sql, error)
            raise
        self._recorder.ran(sql)
        return self._wrapped(result)

    def _fetch(self, call: Callable[..., Any], /, *arguments: Any, **settings: Any) -> Any:
        try:
            return call(*arguments, **settings)
        except Exception as error:
            if not isinstance(error, StopIteration):
                self._recorder.refused(self._sql, error)
            raise

    def _open(self, call: Callable[..., Any], /, *arguments: Any, **settings: Any) -> Any:
        return self._wrapped(call(*arguments, **settings))

    def _wrapped(self, result: Any) -> Any:
        """A cursor, or a session of DuckDB, is watched as well; rows and relations are what they are."""
        if result is self._target:
            return self
        if not (hasattr(result, "fetchone") and hasattr(result, "executemany")):
            return result
        watched = Proxy(result, self._recorder, result if hasattr(result, "commit") else self._connection)
        object.__setattr__(watched, "_sql", self._sql)
        return watched


@contextmanager
def watch(notes: FailureNotes, target: Any, schema: SchemaLike | None, backend: str | None) -> Iterator[Any]:
    """See :meth:`FailureNotes.watch`."""
    engine = getattr(target, "sync_engine", target)  # of SQLAlchemy's AsyncEngine
    of_engine = type(engine).__module__.startswith("sqlalchemy.") and hasattr(engine, "raw_connection")
    if backend is None and of_engine:
        backend = _BACKENDS_OF_DIALECTS.get(engine.dialect.name, engine.dialect.name)
    elif backend is None:
        backend = backend_of(target)
    check_backend(backend)
    recorder = Recorder(notes, backend, schema)
    try:
        if of_engine:
            with _listening(engine, recorder):
                yield target
        else:
            yield Proxy(target, recorder, target)
    finally:
        recorder.active = False


_BACKENDS_OF_DIALECTS = {"postgresql": "postgres", "mariadb": "mysql"}


@contextmanager
def _listening(engine: Any, recorder: Recorder) -> Iterator[None]:
    """Listeners on SQLAlchemy's error event and around its statements."""
    from sqlalchemy import event

    def before(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        recorder.prepare(statement, connection.connection.dbapi_connection)

    def after(connection: Any, cursor: Any, statement: str, *_: Any) -> None:
        recorder.ran(statement)

    def refused(context: Any) -> None:
        if context.statement is not None:
            recorder.refused(context.statement, context.original_exception)

    listeners: dict[str, Callable[..., Any]] = {
        "before_cursor_execute": before,
        "after_cursor_execute": after,
        "handle_error": refused,
    }
    for name, listener in listeners.items():
        event.listen(engine, name, listener)
    try:
        yield
    finally:
        for name, listener in listeners.items():
            event.remove(engine, name, listener)


def _is_verdict(error: BaseException) -> bool:
    """Whether the machine said it of this statement.

    It is PEP 249's DatabaseError, and neither what a driver objects to before it asks or after it has an
    answer, nor that the connection is gone, nor that an earlier statement failed the transaction.
    """
    if isinstance(error, sqlite3.Error):
        return hasattr(error, "sqlite_errorcode")
    if not any(kind.__name__ == "DatabaseError" for kind in type(error).__mro__):
        return False
    if error.args and isinstance(error.args[0], int) and error.args[0] in _CLIENTS_NUMBERS:
        return False
    if hasattr(error, "sqlstate") or hasattr(error, "pgcode"):
        state = _state(error)
        return bool(state) and not state.startswith(OTHER_STATES)
    return not _OTHER_TEXTS.match(str(error))


def _state(error: BaseException) -> str:
    # psycopg knows a state that is in no list, as procedures make them up, by its diagnostics alone.
    told = (
        getattr(error, "sqlstate", None),
        getattr(error, "pgcode", None),
        getattr(getattr(error, "diag", None), "sqlstate", None),
    )
    return next((state for state in told if isinstance(state, str) and state), "")


def _text(sql: Any, connection: Any) -> str | None:
    """The statement as text; None where it is of a kind that cannot be told."""
    if isinstance(sql, str):
        return sql
    if isinstance(sql, bytes):
        return sql.decode("utf-8", "replace")
    try:
        return str(sql.as_string(connection))  # psycopg's composed statements
    except Exception:  # noqa: BLE001 - whatever it is, it is not ours to judge
        return None
