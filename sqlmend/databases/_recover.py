"""The program that makes a private, complete copy: ``python -I -S -B _recover.py DATABASE COPY SECONDS``.

SQLite itself replays the write-ahead log or rolls back the hot journal, in the copy. It is a program of its
own, with limits on what it may use, because a database file is untrusted data; it never sees a query.
"""

from __future__ import annotations

import os
import resource
import shutil
import sqlite3
import stat
import sys
from pathlib import Path
from typing import BinaryIO

_ATTEMPTS = 5
_SUFFIXES = ("", "-wal", "-journal")
_ADDRESS_SPACE_BYTES = 1536 << 20
_SPARE_BYTES = 64 << 20
_MAGIC = bytes.fromhex("d9d505f920a163d7")  # of a rollback journal, at its start and behind such a name
_LONGEST_NAME = 4096  # bytes; SQLite takes none that is longer
_NAME_FRAME = 20  # bytes around the name: page number before it; length, checksum and magic behind it


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


def detach(journal: Path) -> None:
    """Take the name of a super-journal out of a copied journal, and do what it asks for.

    A transaction over several files names in each journal one file that all share; where that is gone, the
    transaction is committed and the journal counts no more. SQLite deletes the named file when it has rolled
    back, and in an untrusted journal that may be any file of the user. See "Atomic Commit In SQLite", 5.
    """
    with journal.open("r+b") as file:
        named = _super_journal(file)
        while name := _super_journal(file):  # a forged one may have another before it
            file.truncate(file.seek(0, os.SEEK_END) - len(name) - _NAME_FRAME)
    if named and not _is_there(named):
        journal.unlink()


def _super_journal(file: BinaryIO) -> bytes:
    """The name at a journal's end as SQLite reads it, empty where there is none; no more is read of it."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - _LONGEST_NAME - _NAME_FRAME))
    content = file.read()
    length, checksum = int.from_bytes(content[-16:-12], "big"), int.from_bytes(content[-12:-8], "big")
    name = content[-16 - length : -16]
    # Bytes count with a sign where C's characters have one.
    sums = {sum(name) % 2**32, sum(byte - 256 * (byte > 127) for byte in name) % 2**32}
    framed = content[-8:] == _MAGIC and 0 < length <= len(content) - _NAME_FRAME
    return name if framed and checksum in sums else b""


def _is_there(name: bytes) -> bool:
    """Whether SQLite would say that a file exists: an empty one does not."""
    try:
        found = Path(os.fsdecode(name)).stat()
    except (OSError, ValueError):
        return False
    return found.st_size > 0 or not stat.S_ISREG(found.st_mode)


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
    if (journal := Path(sys.argv[2] + "-journal")).exists():
        detach(journal)
    complete(Path(sys.argv[2]))
