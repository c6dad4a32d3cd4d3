"""The program that makes a private, complete copy: ``python -I -S -B _recover.py DATABASE COPY SECONDS``.

SQLite itself replays the write-ahead log or rolls back the hot journal, in the copy. It is a program of its
own, with limits on what it may use, because a database file is untrusted data; it never sees a query.
"""

from __future__ import annotations

import resource
import shutil
import sqlite3
import sys
from pathlib import Path

_ATTEMPTS = 5
_SUFFIXES = ("", "-wal", "-journal")
_ADDRESS_SPACE_BYTES = 1536 << 20
_SPARE_BYTES = 64 << 20


def copy(database: Path, target: Path) -> None:
    """Copy a database with its log and journal, as they were at one moment."""
    for _ in range(_ATTEMPTS):
        before = _state(database)
        for suffix in _SUFFIXES:
            original, copied = (path.with_name(path.name + suffix) for path in (database, target))
            copied.unlink(missing_ok=True)
            if original.exists():
                shutil.copyfile(original, copied)
        # A log may grow meanwhile: it is read up to its last complete transaction.
        if _state(database) == before:
            return
    raise SystemExit("it changes while it is copied")


def _state(database: Path) -> list[tuple[int, int]]:
    files = (database, database.with_name(database.name + "-journal"))
    return [(found.st_size, found.st_mtime_ns) for found in (file.stat() for file in files if file.exists())]


def complete(file: Path) -> None:
    """Leave one plain file, without a log or journal."""
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA trusted_schema=OFF")
    (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    connection.close()
    if mode != "delete":
        raise SystemExit(f"the journal mode stays {mode}")


def confine(database: Path, seconds: float) -> None:
    """Limit for good what the copy may use: twice its files, since a log may say that they grow."""
    files = [database.with_name(database.name + suffix) for suffix in _SUFFIXES]
    size = sum(file.stat().st_size for file in files if file.exists())
    for kind, value in (
        (resource.RLIMIT_CORE, 0),
        (resource.RLIMIT_CPU, int(seconds) + 2),
        (resource.RLIMIT_AS, _ADDRESS_SPACE_BYTES),
        (resource.RLIMIT_FSIZE, 2 * size + _SPARE_BYTES),
    ):
        hard = resource.getrlimit(kind)[1]
        lowered = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(kind, (lowered, lowered))


if __name__ == "__main__":
    confine(Path(sys.argv[1]), float(sys.argv[3]))
    copy(Path(sys.argv[1]), Path(sys.argv[2]))
    complete(Path(sys.argv[2]))
