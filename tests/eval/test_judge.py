from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from sqlmend.databases import Outcome, open_database
from sqlmend.errors import SqlmendError
from sqlmend.eval import _columns, judge
from tests.eval.fake_database import FakeDatabase, rows


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return make(tmp_path / "one.sqlite", 1)


def make(path: Path, value: int) -> Path:
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE t(a INT)")
    connection.execute("INSERT INTO t VALUES (?)", (value,))
    connection.commit()
    connection.close()
    return path


def test_a_database_may_be_open_or_a_path(path: Path) -> None:
    assert judge("SELECT 1", "SELECT a FROM t", path).score == 1
    assert judge("SELECT 1", "SELECT a FROM t", str(path)).score == 1
    with open_database(path) as database:
        assert judge("SELECT 1", "SELECT a FROM t", database).score == 1


def test_all_of_several_databases_must_match(path: Path, tmp_path: Path) -> None:
    other = make(tmp_path / "two.sqlite", 2)
    both = [path, other]
    assert judge("SELECT a FROM t", "SELECT a FROM t", both).outcome == "match"
    verdict = judge("SELECT 1", "SELECT a FROM t", both)
    assert (verdict.outcome, verdict.databases) == ("mismatch", 2)


@pytest.mark.parametrize(
    "settings",
    [
        {"definition": "brid"},
        {"float_tolerance": -1.0},
        {"float_tolerance": float("nan")},
        {"timeout_s": 0},
        {"max_rows": 0},
    ],
)
def test_bad_arguments_are_value_errors(path: Path, settings: dict) -> None:
    with pytest.raises(ValueError, match=str(next(iter(settings.values())))):
        judge("SELECT 1", "SELECT 1", path, **settings)


def test_without_a_database_nothing_is_judged(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="at least one database"):
        judge("SELECT 1", "SELECT 1", [])
    with pytest.raises(SqlmendError, match="missing"):
        judge("SELECT 1", "SELECT 1", tmp_path / "missing.sqlite")


def test_under_bird_both_queries_share_the_time_limit() -> None:
    database = FakeDatabase({"p": rows(1, elapsed_s=0.6), "r": rows(1, elapsed_s=0.6)})
    verdict = judge("p", "r", database, timeout_s=1.0)
    assert (verdict.outcome, verdict.flags) == ("timeout", ("differs_from_official",))
    assert judge("p", "r", database, timeout_s=1.5).flags == ()
    assert judge("p", "r", database, timeout_s=1.0, definition="spider").outcome == "match"


def test_a_search_for_columns_that_gives_up_is_a_flagged_mismatch(monkeypatch: pytest.MonkeyPatch) -> None:
    columns = ("a", "b", "c")
    reference = Outcome("ok", columns, [(0, 1, 2), (1, 2, 0), (2, 0, 1)])
    swapped = Outcome("ok", columns, [(1, 0, 2), (2, 1, 0), (0, 2, 1)])
    database = FakeDatabase({"r": reference, "p": swapped})
    assert judge("p", "r", database, definition="spider").outcome == "match"
    monkeypatch.setattr(_columns, "MOST_CELLS", 0)
    monkeypatch.setattr(_columns, "MOST_PASSES", 0)
    verdict = judge("p", "r", database, definition="spider")
    assert (verdict.outcome, verdict.flags) == ("mismatch", ("differs_from_official",))


def test_a_verdict_tells_nothing_of_the_reference(path: Path) -> None:
    verdict = judge("SELECT 2", "SELECT sentinel FROM t", path)
    assert verdict.outcome == "reference_failed"
    assert "sentinel" not in repr(verdict)
