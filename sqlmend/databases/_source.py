"""Which file a worker opens, so that nothing appears or changes beside the user's database.

A read-only connection still writes when it has to: beside a database in WAL mode it creates ``-wal`` and
``-shm`` files, and a hot journal (a writer died) must be rolled back before anything can be read. So:

- no log beside it, not in WAL mode: the file itself, read-only, with SQLite's own locks;
- WAL mode, and the log is absent or empty: the file itself as ``immutable``, which opens nothing else;
- a log with content, or a journal that SQLite finds hot: a private copy, completed by ``_recover.py``.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlmend.databases._pool import pool
from sqlmend.databases._process import WorkerGone, WorkerLate
from sqlmend.errors import SqlmendError

_PROGRAM = Path(__file__).with_name("_recover.py")
_HEADER_S = 10.0
#: What a copy may take, whatever the statement may: it serves all that follow.
_COPY_S = 60.0
_WRITE_VERSION = slice(18, 20)

#: (inode, size, time) of the database, its log and its journal; it changes when one of them does.
Stamp = tuple[tuple[int, int, int] | None, ...]


@dataclass(frozen=True)
class Source:
    """What a worker opens.

    Attributes:
        uri: SQLite URI of the file.
        stamp: What the files were like.
        immutable: SQLite takes no locks: what was read counts only if the stamp is still the same.
        folder: The private copy's folder, which goes when nobody holds it.
    """

    uri: str
    stamp: Stamp
    immutable: bool = False
    folder: _PrivateFolder | None = None


class SourceFinder:
    """Finds the source of one database, as it is at the moment.

    Thread-safe: one thread looks and copies, others that need the same wait for what it finds.

    Args:
        path: The database file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._beside = tuple(path.with_name(path.name + suffix) for suffix in ("-wal", "-journal"))
        self._known: Source | None = None
        self._begun_s = 0.0
        self.unlock()
        _finders.add(self)

    def unlock(self) -> None:
        """In a forked child: the thread that held the lock is the parent's."""
        self._finding = threading.Lock()

    def stamp(self) -> Stamp:
        """What the files are like now.

        Raises:
            SqlmendError: The database is gone.
        """
        found = _stat(self._path)
        if found is None:
            raise SqlmendError("database_unreadable", f"{self._path} is gone or out of reach")
        return (found, *map(_stat, self._beside))

    def current(self) -> Source:
        """The source to read now; where it is a private copy, making it takes a while.

        Raises:
            SqlmendError: The database is gone, or cannot be copied.
        """
        asked_s, known = time.monotonic(), self._known
        if known is not None and known.stamp == self.stamp():
            return known
        with self._finding:
            stamp, known = self.stamp(), self._known
            # A copy begun while this thread waited shows a moment after it asked, so nobody waits for more
            # than two, however often the files change.
            if known is None or (known.stamp != stamp and not (known.folder and self._begun_s > asked_s)):
                known = self._keep(self._find, stamp)
            return known

    def recovered(self) -> Source:
        """The source where SQLite found a hot journal: a completed private copy.

        Raises:
            SqlmendError: It cannot be copied or completed.
        """
        with self._finding:
            stamp, known = self.stamp(), self._known
            if known is None or known.stamp != stamp or known.folder is None:
                known = self._keep(self._copy, stamp)
            return known

    def _keep(self, find: Callable[[Stamp], Source], stamp: Stamp) -> Source:
        begun_s = time.monotonic()
        self._known = known = find(stamp)
        self._begun_s = begun_s
        return known

    def _find(self, stamp: Stamp) -> Source:
        log = stamp[1]
        if log is not None and log[1] > 0:
            return self._copy(stamp)
        # With an empty log beside it SQLite goes on in WAL mode, whatever the header says.
        immutable = log is not None or self._in_wal_mode()
        return Source(_uri(self._path, immutable), stamp, immutable)

    def _in_wal_mode(self) -> bool:
        # Read by a worker: closing the file here would take away the locks that this process, which may be
        # writing to it, holds on it.
        uri = _uri(self._path, immutable=False)
        request = ("header", uri, None, _HEADER_S, os.fsencode(self._path))
        try:
            reply = pool().call(request, _HEADER_S, database=uri)
        except (WorkerLate, WorkerGone) as error:
            raise SqlmendError("database_unreadable", f"no answer from {self._path} in time") from error
        if reply[0] is not None:
            raise SqlmendError("database_unreadable", f"{self._path} cannot be read: {reply[1]}")
        return b"\2" in reply[1][_WRITE_VERSION]

    def _copy(self, stamp: Stamp) -> Source:
        folder = _PrivateFolder()
        copy = folder.path / "copy.sqlite"
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-B", str(_PROGRAM), str(self._path), str(copy), str(_COPY_S)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=folder.path,
                env={},
                check=False,
                timeout=_COPY_S,
            )
        except subprocess.TimeoutExpired as error:
            folder.remove()
            raise SqlmendError(
                "database_unreadable",
                f"a private copy of {self._path}, which has a log beside it, takes longer than {_COPY_S:g} s",
                hint="write the log into the database (PRAGMA wal_checkpoint(TRUNCATE))",
            ) from error
        if done.returncode != 0:
            folder.remove()
            reason = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise SqlmendError(
                "database_unreadable",
                f"{self._path} cannot be copied: {reason or f'the copy ended with code {done.returncode}'}",
            )
        return Source(_uri(copy, immutable=True), stamp, folder=folder)


_finders: weakref.WeakSet[SourceFinder] = weakref.WeakSet()


def _after_fork() -> None:
    for finder in _finders:
        finder.unlock()


os.register_at_fork(after_in_child=_after_fork)


class _PrivateFolder:
    """A folder of our own for a copy, removed when the last source that uses it is let go.

    Raises:
        SqlmendError: It cannot be made.
    """

    def __init__(self) -> None:
        try:
            self.path = Path(tempfile.mkdtemp(prefix="sqlmend-"))
        except OSError as error:
            reason = f"there is no place for a private copy: {error.strerror}"
            raise SqlmendError("database_unreadable", reason) from error
        self.remove = weakref.finalize(self, _remove, self.path, os.getpid())


def _remove(folder: Path, owner: int) -> None:
    if os.getpid() == owner:  # a forked child must not take it from its parent
        shutil.rmtree(folder, ignore_errors=True)


def _stat(path: Path) -> tuple[int, int, int] | None:
    try:
        found = os.stat(path)  # noqa: PTH116 (called for every statement)
    except OSError:
        return None
    return found.st_ino, found.st_size, found.st_mtime_ns


def _uri(path: Path, immutable: bool) -> str:
    # Every special byte of the path is escaped, so that it stays a path.
    return f"file:{quote(os.fsencode(path))}?mode=ro{'&immutable=1' if immutable else ''}"
