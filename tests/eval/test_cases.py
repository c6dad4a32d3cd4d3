"""Tables of cases: one prediction against one reference on the fixture database."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from sqlmend.eval import Verdict, judge

CASES = Path(__file__).parents[1] / "cases"
TABLES = ("sql_cases.json", "judge_cases.json")


def cases() -> list[Any]:
    return [
        pytest.param(case, id=case["id"])
        for table in TABLES
        for case in json.loads((CASES / table).read_text("utf-8"))
    ]


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("cases") / "fixture.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript((CASES / "fixture.sql").read_text("utf-8"))
    connection.close()
    return path


def as_found(verdict: Verdict, expected: dict[str, Any]) -> dict[str, Any]:
    """The verdict in the words of an expectation."""
    found = {"outcome": verdict.outcome, "score": verdict.score, "flags": list(verdict.flags)}
    if expected.get("flag") in verdict.flags:
        found["flag"] = expected["flag"]
    if expected.get("diagnostic") in verdict.diagnostics:
        found["diagnostic"] = expected["diagnostic"]
    return found


@pytest.mark.parametrize("case", cases())
def test_case(case: dict[str, Any], database: Path) -> None:
    before = sorted((path.name, path.read_bytes()) for path in database.parent.iterdir())
    settings = {name: case[name] for name in ("float_tolerance", "timeout_s", "max_rows") if name in case}
    verdict = judge(case["pred"], case["gold"], database, definition=case.get("mode", "bird"), **settings)
    assert as_found(verdict, case["expect"]) | case["expect"] == as_found(verdict, case["expect"])
    assert sorted((path.name, path.read_bytes()) for path in database.parent.iterdir()) == before
