"""The memory of what a machine refused."""

from __future__ import annotations

import logging
import os
import threading
import weakref
from contextlib import AbstractContextManager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple, Self

from sqlmend.databases import Outcome, Schema
from sqlmend.errors import InputError
from sqlmend.memory.notes._file import NotesFile
from sqlmend.memory.notes._key import SchemaLike, check_backend, key_of, schema_of
from sqlmend.memory.notes._known import Known
from sqlmend.memory.notes._note import Line, Note, Refusal, Worked
from sqlmend.memory.notes._refuse import refusal_from
from sqlmend.memory.notes._sink import Sink
from sqlmend.memory.notes._verdict import Verdict, read_verdict
from sqlmend.memory.notes._words import note_of

_logger = logging.getLogger(__name__)

#: How long the writer waits for others that write to the same file, in seconds; never the query path.
_LOCK_S = 2.0
_CAPACITY = 10_000


class _Item(NamedTuple):
    """Something to write that nobody has read yet; ``verdict`` is None for what ran."""

    query: str
    schema: Schema | str
    backend: str
    verdict: Verdict | None
    at: str


class FailureNotes:
    """Remembers what a machine refused, and says so when it is about to be asked again.

    A file of JSON lines, written in the background: recording never raises, never waits and never blocks,
    and what cannot be written (the disk is full, the file is read-only, the lock is held) is counted and
    dropped with one line in the log. Several objects and processes may share a file.

    No model decides what is remembered: a refusal is recorded on a machine's verdict alone, found again only
    on the same backend with the same schema fingerprint and by the overlap of the statements' shapes, and
    worded from templates.

    Args:
        path: The file; it is created, readable by its owner alone, when there is something to write, and so
            is its folder.
        threshold: Smallest Jaccard overlap of two shapes' tokens that counts as the same kind of statement.
        keep_detail: Keep quoted values and DETAIL lines of error texts, which may hold data.

    Attributes:
        path: The file.

    Raises:
        InputError: The threshold is not above 0 and at most 1.
    """

    def __init__(
        self, path: str | os.PathLike[str], *, threshold: float = 0.8, keep_detail: bool = False
    ) -> None:
        if not 0 < threshold <= 1:
            raise InputError("bad_threshold", f"threshold must be above 0 and at most 1; got {threshold!r}")
        self.path = Path(path)
        self._keep_detail = keep_detail
        self._file = NotesFile(self.path)
        self._sink: Sink[_Item] = Sink(self._write, _CAPACITY)
        self._lock = threading.RLock()
        self._known = Known(self._file, threshold, _CAPACITY)
        self._losing = threading.Lock()
        self._lost = 0
        self._troubles = 0  # also what fails once more, and is no new loss
        self._told_troubles = 0
        self._complained = False
        self._closed = False
        _all.add(self)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def lost(self) -> int:
        """How many records of this object did not reach the file; one that is tried again counts once."""
        return self._lost

    def record(
        self, query: str, schema: SchemaLike, *, backend: str, error: BaseException | Outcome | str | None
    ) -> None:
        """Note that a machine refused a statement; where it ran, nothing is written.

        Never raises and never waits: what is wrong with the arguments is logged and counted.

        Args:
            query: The statement as it was sent.
            schema: The schema it was sent to: a ``Schema``, ``{table: {column: type}}``, or a fingerprint. A
                fingerprint does not tell the columns: a double-quoted word of SQLite then counts as a name
                on the left of a comparison and as a value on its right.
            backend: ``sqlite``, ``postgres``, ``duckdb``, ``mysql`` or ``document``.
            error: What came back: an exception, an ``Outcome`` or the error's text; None, an outcome that is
                ok, an empty text and the texts ``ok``, ``match`` and ``mismatch`` say that it ran.
        """
        try:
            verdict = read_verdict(error)
            if verdict is not None:
                self._put(query, schema, backend, verdict)
        except Exception as trouble:  # noqa: BLE001 - nothing may reach the query path
            self._lose(1, trouble)

    def worked(self, query: str, schema: SchemaLike, *, backend: str) -> None:
        """Note that a statement ran: the refusal that it would have found learns what worked in its place.

        What writes must write to the same table in the same way. It never makes a note of its own. Only the
        first one counts. Never raises and never waits.

        Args:
            query: The statement.
            schema: As for :meth:`record`.
            backend: As for :meth:`record`.
        """
        try:
            self._put(query, schema, backend, None)
        except Exception as trouble:  # noqa: BLE001 - nothing may reach the query path
            self._lose(1, trouble)

    def lookup(self, query: str, schema: SchemaLike, *, backend: str) -> Note | None:
        """The note for a statement that is about to be sent, None where nothing like it was refused.

        It sees all that this object was given before, and what other objects have flushed.

        Args:
            query: The statement.
            schema: As for :meth:`record`.
            backend: As for :meth:`record`.

        Raises:
            InputError: The backend is unknown, or the schema is none.
        """
        key = key_of(query, schema, backend)
        if key is None:
            return None
        with self._lock:
            self._absorb()
            found = self._known.index.find(key)
        return None if found is None else note_of(*found, key.shape)

    def refusals(self) -> tuple[Refusal, ...]:
        """All that is remembered, in the order in which it was recorded."""
        with self._lock:
            self._absorb()
            return tuple(self._known.index)

    def flush(self, timeout_s: float = 5.0) -> bool:
        """Wait until all that was recorded is on disk.

        Returns:
            Whether it is. False after a time-out, or where something since the last call was not written.
        """
        done = self._sink.flush(timeout_s)
        troubles, self._told_troubles = self._troubles - self._told_troubles, self._troubles
        return done and troubles == 0

    def close(self) -> None:
        """Flush, and drop what is recorded afterwards; doing it twice is harmless."""
        self.flush()
        self._closed = True

    def watch(
        self, target: Any, *, schema: SchemaLike | None = None, backend: str | None = None
    ) -> AbstractContextManager[Any]:
        """Record what is refused on a connection or an engine, for the time of a ``with`` block.

        Errors go on to the caller as they are. Only what the machine itself refuses is recorded (PEP 249's
        ``DatabaseError``), not what the driver objects to before it asks. After a refusal the next hundred
        statements that run are looked at for what worked in its place; a query has run when its rows were
        read to the end, when the driver has read them all by itself, or as far as single rows were read
        before the next statement.

        Args:
            target: A DB-API connection (the block gets a proxy of it), or an SQLAlchemy engine (the block
                gets the engine itself, with listeners).
            schema: The schema behind it; None: it is read over the connection, before the first statement
                and again after DDL. Where it cannot be read then, the next statements try again.
            backend: Where it leads; None: told by the driver.

        Raises:
            InputError: The driver or the backend is unknown.
        """
        from sqlmend.memory.notes._watch import watch

        return watch(self, target, schema, backend)

    def _put(self, query: str, schema: SchemaLike, backend: str, verdict: Verdict | None) -> None:
        check_backend(backend)
        if not isinstance(query, str):
            raise TypeError(f"the query must be text; got {type(query).__name__}")
        if self._closed:
            raise RuntimeError("these notes are closed")
        at = datetime.now(UTC).isoformat(timespec="seconds")
        if not self._sink.put(_Item(query, schema_of(schema), backend, verdict, at)):
            raise RuntimeError(f"more than {_CAPACITY} records wait")

    def _absorb(self) -> None:
        """Read the file, then what was put; under the lock, so that whoever looks up after it finds it.

        The file comes first: what others have forgotten, or have taken away with it, is recorded anew.
        """
        self._known.refresh()
        self._tell()

    def _tell(self) -> None:
        for item in self._sink.take():
            try:
                line = self._line_of(item)
            except Exception as trouble:  # noqa: BLE001 - one odd record must not stop the others
                self._lose(1, trouble)
                continue
            if line is not None:
                self._known.tell(line)

    def _line_of(self, item: _Item) -> Line | None:
        key = key_of(item.query, item.schema, item.backend)
        if key is None:
            return None
        if item.verdict is None:
            replaced = self._known.index.replaced_by(key)
            return None if replaced is None else Worked(replaced.id, key.shape)
        return refusal_from(key, item.verdict, keep_detail=self._keep_detail, at=item.at)

    def _write(self) -> None:
        """Write what waits; called by the sink's thread alone."""
        try:
            with self._lock:
                self._absorb()
                lines = self._known.take()
            if not lines:
                return
            try:
                self._file.append([line.to_line() for line in lines], timeout_s=_LOCK_S)
                self._complained = False
                with self._lock:
                    self._known.written(lines)
                    self._known.refresh()  # so that it is noticed when the file goes
            except OSError as trouble:
                with self._lock:
                    lost = self._known.lose(lines)
                self._lose(lost, trouble)
        except Exception as trouble:  # noqa: BLE001 - the thread must go on
            self._lose(1, trouble)

    def _lose(self, count: int, trouble: Exception) -> None:
        with self._losing:
            self._lost += count
            self._troubles += 1
            told, self._complained = self._complained, True
        if not told:
            with suppress(Exception):  # whatever handles the log may not reach the query path either
                _logger.warning(
                    "failure notes are lost (%d, maybe more) in %s: %s", self._lost, self.path, trouble
                )

    def _after_fork(self) -> None:
        """In the child: what waits is the parent's to write; it stays known here."""
        self._lock = threading.RLock()
        self._losing = threading.Lock()
        self._sink.reset()
        self._tell()
        self._known.keep_unwritten(self._known.take())


_all: weakref.WeakSet[FailureNotes] = weakref.WeakSet()
_forking = threading.Lock()
_held: list[FailureNotes] = []


def _before_fork() -> None:
    """Let no thread change an index while it is copied."""
    _forking.acquire()
    _held[:] = list(_all)
    for notes in _held:
        notes._lock.acquire()


def _after_fork_in_parent() -> None:
    for notes in _held:
        notes._lock.release()
    _held.clear()
    _forking.release()


def _after_fork_in_child() -> None:
    for notes in _held:
        notes._after_fork()
    _held.clear()
    _forking.release()


os.register_at_fork(
    before=_before_fork, after_in_parent=_after_fork_in_parent, after_in_child=_after_fork_in_child
)
