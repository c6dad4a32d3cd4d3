"""Watching a connection: what is refused on it becomes a note, and nothing else changes."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Iterator, Sized
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

from sqlmend.memory.notes._catalog import backend_of
from sqlmend.memory.notes._frame import called_from
from sqlmend.memory.notes._key import SchemaLike, check_backend
from sqlmend.memory.notes._recorder import Recorder, Sent

if TYPE_CHECKING:
    from sqlmend.memory.notes._notes import FailureNotes

_logger = logging.getLogger(__name__)

_RUNS = frozenset(("execute", "executemany", "executescript", "sql", "query", "from_query"))
#: DuckDB's that make a relation of a query; the rows of an execute that are not read yet outlive them.
_MAKE_RELATIONS = frozenset(("sql", "query", "from_query"))
#: How drivers name the statement where it is not given by its place.
_STATEMENTS = ("query", "sql", "operation", "statement")
#: These read to the end at once; all but fetchall and one of ADBC's are DuckDB's, of its releases 1 and 2.
_READ_ALL = frozenset(
    """
    fetchall fetchdf fetch_df df fetchnumpy arrow fetch_arrow_table fetchallarrow to_arrow_table pl tf torch
    """.split()
)
#: These do when they find nothing more.
_READ_ON = frozenset(("fetchone", "fetchmany", "fetch_df_chunk"))


class Proxy:
    """A DB-API connection or cursor that is watched; everything goes through to it.

    Args:
        target: The connection or cursor.
        recorder: Told of what is refused.
        connection: The connection that it belongs to.
    """

    __slots__ = ("_connection", "_gave", "_has_rows", "_recorder", "_sent", "_target")

    def __init__(self, target: Any, recorder: Recorder, connection: Any) -> None:
        object.__setattr__(self, "_target", target)
        object.__setattr__(self, "_recorder", recorder)
        object.__setattr__(self, "_connection", connection)
        self._hold(Sent(None, None, connection), rows=False)

    def _hold(self, sent: Sent, *, rows: bool) -> None:
        """Know the statement whose rows are read here, and whether there may be more of them."""
        object.__setattr__(self, "_sent", sent)
        object.__setattr__(self, "_has_rows", rows)
        object.__setattr__(self, "_gave", False)

    def __getattr__(self, name: str) -> Any:
        value = getattr(self._target, name)
        if name in _RUNS:
            return partial(self._run, name, value)
        if name.startswith("fetch") or (name in _READ_ALL and callable(value)):
            return partial(self._fetch, name, value)
        if name == "cursor":
            return partial(self._open, value)
        if name in ("commit", "rollback"):
            return partial(self._end, value)
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        setattr(self._target, name, value)

    def __enter__(self) -> Any:
        return self._wrapped(self._target.__enter__())

    def __exit__(self, *stop: Any) -> Any:
        return self._end(self._target.__exit__, *stop)

    def __iter__(self) -> Iterator[Any]:
        return self._rows(iter(self._target))

    def __next__(self) -> Any:
        return self._fetch("__next__", self._target.__next__)

    def _rows(self, rows: Iterator[Any]) -> Iterator[Any]:
        try:
            yield from rows
        except Exception as error:
            self._failed(error)
            raise
        self._read()

    def _run(self, name: str, call: Callable[..., Any], /, *arguments: Any, **settings: Any) -> Any:
        given = arguments or tuple(settings[key] for key in _STATEMENTS if key in settings)
        sql = _text(given[0], self._connection) if given else None
        of_duckdb = self._recorder.backend == "duckdb"
        aside = of_duckdb and name in _MAKE_RELATIONS
        sent = self._recorder.sent(sql, self._connection, aside=aside)
        if not aside:
            self._hold(sent, rows=False)
        try:
            if of_duckdb:
                result = called_from(sys._getframe().f_back, partial(call, *arguments, **settings))
            else:
                result = call(*arguments, **settings)
        except Exception as error:
            self._recorder.refused(sent, error)
            raise
        if aside:
            self._recorder.made(sent, result)
            return result
        watched = self._wrapped(result)
        if isinstance(watched, Proxy):
            watched._hold(sent, rows=self._recorder.executed(sent, watched._target))
        elif result is None or isinstance(result, int):  # so do many drivers; the rows are read here
            self._hold(sent, rows=self._recorder.executed(sent, self._target))
        else:  # whatever it is, nobody sees it read
            self._recorder.executed(sent, None)
        return watched

    def _fetch(self, name: str, call: Callable[..., Any], /, *arguments: Any, **settings: Any) -> Any:
        try:
            rows = call(*arguments, **settings)
        except StopIteration:
            self._read()
            raise
        except Exception as error:
            self._failed(error)
            raise
        if (name in _READ_ALL and not _is_lazy(rows)) or (name in _READ_ON and _is_the_end(name, rows)):
            self._read()
        elif (name in _READ_ON or name == "__next__") and self._has_rows and not self._gave:
            object.__setattr__(self, "_gave", True)
            self._recorder.gave(self._sent)
        return rows

    def _read(self) -> None:
        """All rows were read: only now the statement has run."""
        if self._has_rows:
            self._hold(self._sent, rows=False)
            self._recorder.ran(self._sent)

    def _failed(self, error: Exception) -> None:
        self._hold(self._sent, rows=False)
        self._recorder.refused(self._sent, error)

    def _end(self, call: Callable[..., Any], /, *arguments: Any) -> Any:
        try:
            return call(*arguments)
        finally:
            self._recorder.ended(self._connection)

    def _open(self, call: Callable[..., Any], /, *arguments: Any, **settings: Any) -> Any:
        return self._wrapped(call(*arguments, **settings))

    def _wrapped(self, result: Any) -> Any:
        """A cursor, or a session of DuckDB, is watched as well; rows are what they are."""
        if result is self._target:
            return self
        if not (hasattr(result, "fetchone") and hasattr(result, "executemany")):
            return result
        return Proxy(result, self._recorder, result if hasattr(result, "commit") else self._connection)


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
        recorder.close()


_BACKENDS_OF_DIALECTS = {"postgresql": "postgres", "mariadb": "mysql"}


@contextmanager
def _listening(engine: Any, recorder: Recorder) -> Iterator[None]:
    """Listeners on SQLAlchemy's error event and around its statements."""
    from sqlalchemy import event

    on_their_way: WeakKeyDictionary[Any, Sent] = WeakKeyDictionary()  # by SQLAlchemy's context

    def before(connection: Any, cursor: Any, statement: str, given: Any, context: Any, many: bool) -> None:
        if context is not None:
            on_their_way[context] = recorder.sent(statement, _of_driver(connection))

    def after(connection: Any, cursor: Any, statement: str, given: Any, context: Any, many: bool) -> None:
        if context in on_their_way:
            recorder.executed(on_their_way[context], cursor)

    def refused(failure: Any) -> None:
        if failure.execution_context in on_their_way:
            recorder.refused(on_their_way[failure.execution_context], failure.original_exception)

    def ended(connection: Any, *_: Any) -> None:
        # A rollback is told of a lost connection, too. Asked for the driver's, it would try to connect anew.
        if not (connection.invalidated or connection.closed):
            recorder.ended(_of_driver(connection))

    listeners: dict[str, Callable[..., Any]] = {
        "before_cursor_execute": before,
        "after_cursor_execute": after,
        "handle_error": refused,
        "commit": ended,
        "rollback": ended,
        "rollback_savepoint": ended,
    }
    listeners = {name: _harmless(listener) for name, listener in listeners.items()}
    for name, listener in listeners.items():
        event.listen(engine, name, listener)
    try:
        yield
    finally:
        for name, listener in listeners.items():
            event.remove(engine, name, listener)


def _harmless(listener: Callable[..., Any]) -> Callable[..., None]:
    """What a listener raises, SQLAlchemy raises into the statement."""

    def heard(*arguments: Any) -> None:
        try:
            listener(*arguments)
        except Exception:
            _logger.warning("something on a watched engine is not recorded", exc_info=True)

    return heard


def _of_driver(connection: Any) -> Any:
    return connection.connection.dbapi_connection


def _is_lazy(rows: Any) -> bool:
    """Whether it is still to be read: a reader of Arrow's, a lazy frame of Polars'."""
    return hasattr(type(rows), "read_next_batch") or hasattr(type(rows), "collect")


def _is_the_end(name: str, rows: Any) -> bool:
    """Whether there was no row any more: None in the place of one, nothing in a list or a frame."""
    return rows is None or (name != "fetchone" and isinstance(rows, Sized) and len(rows) == 0)


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
