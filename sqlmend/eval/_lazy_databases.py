"""Databases that are opened when somebody asks for them."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from sqlmend.databases import Database, open_database


class LazyDatabases(Mapping[str, Sequence[Database]]):
    """Database name to its opened files, the main one first; each is opened once. Thread-safe.

    Args:
        files: Database name to its SQLite files.
    """

    def __init__(self, files: Mapping[str, Sequence[Path]]) -> None:
        self._files = files
        self._opened: dict[str, Sequence[Database]] = {}
        self._lock = threading.Lock()

    def __getitem__(self, db_id: str) -> Sequence[Database]:
        with self._lock:
            if db_id not in self._opened:
                self._opened[db_id] = [open_database(file) for file in self._files[db_id]]
            return self._opened[db_id]

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def __len__(self) -> int:
        return len(self._files)

    def close(self) -> None:
        """Close what is open; it opens again when it is asked for."""
        with self._lock:
            while self._opened:
                for database in self._opened.popitem()[1]:
                    database.close()

    def __reduce__(self) -> tuple[type[LazyDatabases], tuple[Mapping[str, Sequence[Path]]]]:
        return LazyDatabases, (self._files,)
