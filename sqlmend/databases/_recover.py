"""The program that completes a private copy of a database: ``python -I -S -B _recover.py FILE``.

SQLite itself replays the write-ahead log or rolls back the hot journal that lies beside the copy. It is a
program of its own because a database file is untrusted data; it never sees a query.
"""

from __future__ import annotations

import resource
import sqlite3
import sys


def main(file: str) -> None:
    """Leave one plain file, without a log or journal."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    connection = sqlite3.connect(file, isolation_level=None)
    connection.execute("PRAGMA trusted_schema=OFF")
    (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
    connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
    connection.close()
    if mode != "delete":
        raise SystemExit(f"the journal mode stays {mode}")


if __name__ == "__main__":
    main(sys.argv[1])
