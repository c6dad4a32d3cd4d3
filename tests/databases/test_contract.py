"""SQLite keeps the contract of a database."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from sqlmend.databases import Database, open_database
from sqlmend.testing import DatabaseContract


class TestSqlite(DatabaseContract):
    def make_database(self, folder: Path, script: str) -> Database:
        connection = sqlite3.connect(folder / "data.sqlite")
        connection.executescript(script)
        connection.close()
        return open_database(folder / "data.sqlite")
