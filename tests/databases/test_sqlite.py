"""The SQLite database: what it runs and what it refuses."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sqlmend.databases import Database, SqliteDatabase, open_database


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "city.sqlite"
    connection = sqlite3.connect(file)
    connection.executescript(
        "CREATE TABLE city(id INTEGER PRIMARY KEY, name TEXT); INSERT INTO city VALUES (1, 'Lima')"
    )
    connection.close()
    return file


def test_runs_a_query(path: Path) -> None:
    database = open_database(path)
    assert isinstance(database, Database)
    outcome = database.execute("SELECT id, name FROM city")
    assert (outcome.status, outcome.columns, outcome.rows) == ("ok", ("id", "name"), [(1, "Lima")])


@pytest.mark.parametrize("limits", [{"timeout_s": 0}, {"timeout_s": float("nan")}, {"max_rows": 0}])
def test_limits_are_positive(path: Path, limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        SqliteDatabase(path).execute("SELECT 1", **limits)  # type: ignore[arg-type]
