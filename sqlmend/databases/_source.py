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
import time
import weakref
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

from sqlmend.databases._pool import pool
from sqlmend.databases._process import WorkerGone, WorkerLate
from sqlmend.errors import SqlmendError

_PROGRAM = Path(__file__).with_name("_recover.py")
_HEADER_S = 10.0
#: What a copy gets at least: its program has to start.
_COPY_S = 1.0
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

    Args:
        path: The database file.

    Attributes:
        copying_s: Seconds that private copies have taken so far.
    """

    def __init__(self, path: Path) -> None:
        self.copying_s = 0.0
        self._path = path
        self._beside = tuple(path.with_name(path.name + suffix) for suffix in ("-wal", "-journal"))
        self._known: Source | None = None

    def stamp(self) -> Stamp:
        """What the files are like now.

        Raises:
            SqlmendError: The database is gone.
        """
        found = _stat(self._path)
        if found is None:
            raise SqlmendError("database_unreadable", f"{self._path} is gone or out of reach")
        return (found, *map(_stat, self._beside))

    def current(self, limit_s: float) -> Source:
        """The source to read now.

        Args:
            limit_s: Seconds that a copy may take, where one is needed.

        Raises:
            SqlmendError: The database is gone, or cannot be copied.
        """
        stamp, known = self.stamp(), self._known
        if known is None or known.stamp != stamp:
            known = self._known = self._find(stamp, limit_s)
        return known

    def recovered(self, limit_s: float) -> Source:
        """The source where SQLite found a hot journal: a completed private copy.

        Args:
            limit_s: Seconds that the copy may take.

        Raises:
            SqlmendError: It cannot be copied or completed.
        """
        known = self._known = self._copy(self.stamp(), limit_s)
        return known

    def _find(self, stamp: Stamp, limit_s: float) -> Source:
        log = stamp[1]
        if log is not None and log[1] > 0:
            return self._copy(stamp, limit_s)
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

    def _copy(self, stamp: Stamp, limit_s: float) -> Source:
        begin, seconds = time.monotonic(), max(limit_s, _COPY_S)
        folder = _PrivateFolder()
        copy = folder.path / "copy.sqlite"
        try:
            done = subprocess.run(
                [sys.executable, "-I", "-S", "-B", str(_PROGRAM), str(self._path), str(copy), str(seconds)],
                stdin=subprocess.DEVNULL,
                capture_output=True,
                cwd=folder.path,
                env={},
                check=False,
                timeout=seconds,
            )
        except subprocess.TimeoutExpired as error:
            folder.remove()
            raise SqlmendError(
                "database_unreadable",
                f"a private copy of {self._path}, which has a log beside it, takes longer than {seconds:g} s",
                hint="write the log into the database (PRAGMA wal_checkpoint(TRUNCATE)), or allow more time",
            ) from error
        finally:
            self.copying_s += time.monotonic() - begin
        if done.returncode != 0:
            folder.remove()
            reason = done.stderr.decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise SqlmendError(
                "database_unreadable",
                f"{self._path} cannot be copied: {reason or f'the copy ended with code {done.returncode}'}",
            )
        return Source(_uri(copy, immutable=True), stamp, folder=folder)


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
