"""Opening a database by path or URL."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Protocol

from sqlmend._text import address
from sqlmend.databases._sqlite import SqliteDatabase
from sqlmend.errors import InputError

_URL = re.compile(
    r"(?P<dialect>[A-Za-z][\w.]*)(?:\+\w+)?://(?:/(?P<database>[^?]*)(?:\?(?P<options>.*))?)?", re.DOTALL
)


class SqlAlchemyUrl(Protocol):
    """The part of ``sqlalchemy.URL`` that is read here; SQLAlchemy itself is not needed."""

    drivername: str
    database: str | None


def open_database(target: str | os.PathLike[str] | SqlAlchemyUrl) -> SqliteDatabase:
    """Open a database for reading.

    Args:
        target: A path (never parsed as a URI), ``sqlite:///path``, or an SQLAlchemy URL object.

    Raises:
        InputError: No such file, a folder, not a database, or a dialect other than SQLite.
    """
    if isinstance(target, os.PathLike):
        return SqliteDatabase(Path(target))
    if not isinstance(target, str):
        if not hasattr(target, "drivername"):
            raise InputError(
                "bad_database_url", f"a database is a path or a URL; got {type(target).__name__}"
            )
        return _from_url(target.drivername.partition("+")[0], target.database)
    url = _URL.match(target)
    if url is None:
        return SqliteDatabase(Path(target))
    is_sqlite = url["dialect"].lower() == "sqlite"
    whole = target[url.start("database") :] if url["database"] else ""
    if is_sqlite and not whole and url.end() < len(target):
        raise InputError(
            "bad_database_url",
            f"{address(target)!r} names a host, and an SQLite database has none",
            hint="sqlite:///PATH, with three slashes",
        )
    if is_sqlite and url["options"] is not None and not Path(whole).is_file():
        raise InputError(
            "unsupported_option",
            # Not quoted: they may hold a password.
            "options in a database URL, behind its ?, are not supported",
            hint="a database is always opened read-only; give the URL without options",
        )
    return _from_url(url["dialect"], whole)


def _from_url(dialect: str, database: str | None) -> SqliteDatabase:
    if dialect.lower() != "sqlite":
        raise InputError(
            "unsupported_dialect",
            f"{dialect} databases are not supported: only sqlite is, so far",
            hint="give the path of an SQLite file, or sqlite:///PATH",
            context={"dialect": dialect},
        )
    if not database or database == ":memory:":
        raise InputError(
            "no_such_database",
            "an in-memory database cannot be opened: it belongs to the process that made it",
            hint="give the path of an SQLite file, or sqlite:///PATH",
        )
    return SqliteDatabase(Path(database))
