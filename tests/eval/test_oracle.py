from __future__ import annotations

import copy
import pickle
from typing import Any

import pytest

from sqlmend.databases import Outcome
from sqlmend.errors import InputError
from sqlmend.eval import Oracle
from tests.eval.fake_database import FakeDatabase, rows

SENTINEL = "SELECT 'xyzzy'"


def make(*databases: FakeDatabase, definition: str = "bag", **references: str) -> Oracle:
    return Oracle(references or {"q": SENTINEL}, {"db": databases}, definition=definition)


def reachable(value: Any, depth: int = 6) -> str:
    """What walking over attributes and items shows."""
    parts = [repr(value)]
    if depth:
        if isinstance(value, dict):
            inner: list[Any] = [*value, *value.values()]
        elif isinstance(value, list | tuple | set):
            inner = list(value)
        else:
            slots = [getattr(value, name, None) for name in getattr(type(value), "__slots__", ())]
            inner = [*getattr(value, "__dict__", {}).values(), *slots]
        parts += [reachable(part, depth - 1) for part in inner]
    return "\n".join(parts)


def test_a_reference_runs_once_for_all_its_predictions() -> None:
    database = FakeDatabase({SENTINEL: rows(1), "a": rows(1), "b": rows(2)})
    oracle = make(database, q=SENTINEL, twin=SENTINEL)
    assert [oracle.judge("q", "db", sql).score for sql in ("a", "b", "a")] == [1, 0, 1]
    assert oracle.judge("twin", "db", "a").score == 1
    assert database.ran == {SENTINEL: 1, "a": 3, "b": 1}


def test_a_reference_whose_worker_was_killed_runs_anew() -> None:
    lost = Outcome("other_error", error="the worker ended", lost=True)
    answers = {SENTINEL: lost, "a": rows(1)}
    database = FakeDatabase(answers)
    oracle = make(database)
    assert oracle.judge("q", "db", "a").outcome == "reference_failed"
    answers[SENTINEL] = rows(1)
    assert oracle.judge("q", "db", "a").outcome == "match"
    assert oracle.judge("q", "db", "a").score == 1
    assert database.ran[SENTINEL] == 2


def test_to_observe_runs_the_prediction_once() -> None:
    database = FakeDatabase({SENTINEL: rows(1), "a": rows(1)})
    outcome, verdict = make(database).observe("q", "db", "a")
    assert outcome.rows == [(1,)]
    assert verdict.outcome == "match"
    assert database.ran["a"] == 1


def test_what_is_observed_is_the_text_as_written() -> None:
    written, derived = "SELECT DISTINCT a", "SELECT  a"
    database = FakeDatabase({SENTINEL: rows(1, 1), written: rows(1), derived: rows(1, 1)})
    outcome, verdict = make(database, definition="spider").observe("q", "db", written)
    assert outcome.rows == [(1,)]
    assert verdict.outcome == "match"


def test_it_judges_on_all_files_of_a_database() -> None:
    one = FakeDatabase({SENTINEL: rows(1), "a": rows(1)})
    two = FakeDatabase({SENTINEL: rows(2), "a": rows(1)})
    outcome, verdict = make(one, two).observe("q", "db", "a")
    assert (verdict.outcome, verdict.databases) == ("mismatch", 2)
    assert outcome.rows == [(1,)]


def test_it_shows_no_reference_and_no_row_of_it() -> None:
    database = FakeDatabase({"a": rows(1)})
    oracle = make(database)
    answers = {SENTINEL: Outcome("ok", ("plugh",), [("plugh",)])}
    database._answers = answers | {"a": rows(1)}
    verdict = oracle.judge("q", "db", "a")
    oracle._databases = {}
    shown = reachable(oracle) + reachable(verdict) + reachable(vars(oracle))
    assert "xyzzy" not in shown
    assert "plugh" not in shown


@pytest.mark.parametrize("take", [pickle.dumps, copy.copy, copy.deepcopy])
def test_it_is_not_pickled_or_copied(take: Any) -> None:
    with pytest.raises(TypeError, match="references stay"):
        take(make(FakeDatabase({})))


def test_an_error_names_what_is_missing_and_no_reference() -> None:
    oracle = make(FakeDatabase({}))
    with pytest.raises(InputError, match="'other'") as error:
        oracle.judge("other", "db", "a")
    assert "xyzzy" not in str(error.value)
    with pytest.raises(InputError, match="'elsewhere'"):
        oracle.judge("q", "elsewhere", "a")


def test_an_unknown_definition_is_a_value_error() -> None:
    with pytest.raises(ValueError, match="bird"):
        make(definition="brid")
