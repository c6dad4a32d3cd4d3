"""Which file a worker opens, so that nothing appears or changes beside the user's database."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote


@dataclass(frozen=True)
class Source:
    """What a worker opens.

    Attributes:
        uri: SQLite URI of the file.
        stamp: Changes when the file does.
    """

    uri: str
    stamp: tuple[int, ...]


def source_of(path: Path) -> Source:
    """The source for the database as it is now."""
    found = os.stat(path)  # noqa: PTH116
    return Source(uri_of(path, "mode=ro"), (found.st_ino, found.st_size, found.st_mtime_ns))


def uri_of(path: Path, options: str) -> str:
    """An SQLite URI: every special byte of the path is escaped, so that it stays a path."""
    return f"file:{quote(os.fsencode(path))}?{options}"
