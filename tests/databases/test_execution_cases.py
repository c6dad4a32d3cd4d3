"""Tables of cases: what each text comes to, and that the folder of the database stays as it is."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sqlmend.databases import STATUSES, SqliteDatabase, open_database

_CASES = Path(__file__).parents[1] / "cases"


def _read(name: str) -> Any:
    return json.loads((_CASES / name).read_text(encoding="utf-8"))


def _own() -> list[Any]:
    return [
        pytest.param(case, id=f"{kind}-{number}")
        for kind, cases in _read("execution_cases.json").items()
        for number, case in enumerate(cases)
    ]


def _shared() -> list[Any]:
    return [pytest.param(case, id=case["id"]) for case in _read("sql_cases.json")]


def _database(folder: Path, script: str) -> Iterator[SqliteDatabase]:
    path = folder / "data.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript((_CASES / script).read_text(encoding="utf-8"))
    connection.close()
    before = path.read_bytes()
    yield open_database(path)
    assert path.read_bytes() == before


@pytest.fixture(scope="module")
def own(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteDatabase]:
    yield from _database(tmp_path_factory.mktemp("own"), "execution_fixture.sql")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SqliteDatabase]:
    yield from _database(tmp_path_factory.mktemp("shared"), "fixture.sql")


def _limits(case: dict[str, Any]) -> dict[str, Any]:
    return {key: case[key] for key in ("timeout_s", "max_rows") if key in case}


@pytest.mark.parametrize("case", _own())
def test_own_case(case: dict[str, Any], own: SqliteDatabase) -> None:
    outcome = own.execute(case["sql"], **_limits(case))
    assert outcome.status == case["status"], outcome.error
    if "rows" in case:
        assert [list(row) for row in outcome.rows] == case["rows"]
    if "columns" in case:
        assert list(outcome.columns) == case["columns"]
    assert [path.name for path in own.path.parent.iterdir()] == ["data.sqlite"]


@pytest.mark.parametrize("case", _shared())
def test_shared_case(case: dict[str, Any], shared: SqliteDatabase) -> None:
    outcome = shared.execute(case["pred"], **_limits(case))
    expected = case["expect"].get("outcome", "ok")
    if case["id"] == "sorter-spill":
        assert outcome.status in ("too_large", "timeout")
    else:
        assert outcome.status == (expected if expected in STATUSES else "ok"), outcome.error
    assert shared.execute(case["gold"]).status == "ok"
    assert [path.name for path in shared.path.parent.iterdir()] == ["data.sqlite"]
