"""Opening a database by path or URL."""

from __future__ import annotations

import os
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sqlmend.databases import open_database
from sqlmend.errors import InputError, SqlmendError
from tests.databases.conftest import Build

_SCRIPT = "CREATE TABLE t(a); INSERT INTO t VALUES (1)"
_ODD_NAMES = [
    "what?mode=memory",
    "a#b",
    "100%41",
    "file:x",
    "a&b=c",
    "näme 名",
    " space ",
    "a;b'c\"d",
    "sqlite:",
    "a\nb",
    "-x",
]


@pytest.mark.parametrize("name", _ODD_NAMES)
def test_a_path_is_never_a_uri(build: Build, name: str) -> None:
    path = build(_SCRIPT, f"{name}.sqlite", folder=name)
    for target in (path, str(path), f"sqlite:///{path}"):
        database = open_database(target)
        assert database.execute("SELECT a FROM t").rows == [(1,)]
        assert database.path == path
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def test_a_path_that_is_not_utf8(build: Build, tmp_path: Path) -> None:
    path = tmp_path / os.fsdecode(b"caf\xe9.sqlite")
    build(_SCRIPT).rename(path)
    assert open_database(path).execute("SELECT a FROM t").rows == [(1,)]


def test_relative_paths(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    path = build(_SCRIPT)
    monkeypatch.chdir(path.parent)
    for target in ("data.sqlite", "./data.sqlite", "sqlite:///data.sqlite", Path("data.sqlite")):
        assert open_database(target).path == path
    monkeypatch.chdir("/")
    assert open_database(path).execute("SELECT a FROM t").rows == [(1,)]


def test_urls(build: Build) -> None:
    path = build(_SCRIPT)
    url: Any = SimpleNamespace(drivername="sqlite+pysqlite", database=str(path))
    for target in (f"sqlite+pysqlite:///{path}", url):
        assert open_database(target).execute("SELECT a FROM t").rows == [(1,)]


def test_an_sqlalchemy_url_object(build: Build) -> None:
    sqlalchemy = pytest.importorskip("sqlalchemy")
    path = build(_SCRIPT)
    assert open_database(sqlalchemy.make_url(f"sqlite:///{path}")).path == path
    assert open_database(sqlalchemy.URL.create("sqlite", database=str(path))).path == path
    with pytest.raises(InputError, match="postgresql databases are not supported"):
        open_database(sqlalchemy.make_url("postgresql+psycopg://me:secret@host/db"))


@pytest.mark.parametrize(
    ("target", "code"),
    [
        ("postgresql://me:secret@localhost/db", "unsupported_dialect"),
        ("postgresql:///db?user=me&password=secret", "unsupported_dialect"),
        ("mysql+pymysql://localhost/db", "unsupported_dialect"),
        ("duckdb:///x.db", "unsupported_dialect"),
        ("sqlite://", "no_such_database"),
        ("sqlite:///", "no_such_database"),
        ("sqlite:///:memory:", "no_such_database"),
        ("sqlite://data.sqlite", "bad_database_url"),
        ("sqlite://me:secret@host/data.sqlite", "bad_database_url"),
        ("sqlite:///data.sqlite?mode=rwc", "unsupported_option"),
        ("sqlite:///data.sqlite?key=secret", "unsupported_option"),
        ("sqlite:///missing.sqlite", "no_such_database"),
        ("missing.sqlite", "no_such_database"),
        (":memory:", "no_such_database"),
        ("file:data.sqlite", "no_such_database"),
        ("", "database_is_folder"),
        (".", "database_is_folder"),
        ("folder", "database_is_folder"),
        ("empty.sqlite", "not_a_database"),
        ("text.sqlite", "not_a_database"),
        ("header.sqlite", "not_a_database"),
        ("data.sqlite/x", "no_such_database"),
        ("a\0b", "no_such_database"),
    ],
)
def test_what_cannot_be_opened(build: Build, monkeypatch: pytest.MonkeyPatch, target: str, code: str) -> None:
    folder = build(_SCRIPT).parent
    (folder / "folder").mkdir()
    (folder / "empty.sqlite").touch()
    (folder / "text.sqlite").write_text("a text, no database\n" * 100)
    (folder / "header.sqlite").write_bytes(b"SQLite format 3\0" + os.urandom(4096))
    names = sorted(path.name for path in folder.iterdir())
    monkeypatch.chdir(folder)
    with pytest.raises(InputError) as caught:
        open_database(target)
    assert isinstance(caught.value, SqlmendError)
    assert caught.value.code == code
    assert "secret" not in str(caught.value)
    assert sorted(path.name for path in folder.iterdir()) == names
