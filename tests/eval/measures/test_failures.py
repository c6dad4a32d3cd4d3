"""Which failures are sampled for labelling."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.errors import InputError
from sqlmend.eval.measures import Failure, failures, sample_failures
from tests.eval.measures.comparisons import ALSO_WRONG, BROKEN, RIGHT, WRONG, Hand, episode, questions

ASKED = questions(0, 1, 2)


def of(predicted, number):
    return Failure("db", f"q{number}", "", f"SELECT {number}", "mismatch", "", predicted)


def population(**sizes):
    return [of(name, f"{name}{n}") for name, size in sizes.items() for n in range(size)]


@pytest.fixture
def runs(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, remembering=(), plain=("one", "two"), orders=(0,)).begin()
    made.run("one", "allow", 0, [episode(q, WRONG, WRONG, BROKEN) for q in ASKED])
    made.run("two", "allow", 0, [episode(q, WRONG, ALSO_WRONG, RIGHT) for q in ASKED])
    return made.folder


def test_a_failure_counts_once_however_often_it_is_written(runs):
    found = failures(runs)
    assert Counter(failure.sql for failure in found) == {WRONG: 3, BROKEN: 3, ALSO_WRONG: 3}
    assert {failure.question for failure in found} == {q["text"] for q in ASKED}
    assert Counter(failure.predicted for failure in found) == {"result_mismatch": 6, "syntax": 3}


def test_a_run_alone_has_failures_too(runs):
    found = failures(runs / "runs" / "one" / "allow" / "order0")
    assert len(found) == 6
    assert {failure.question for failure in found} == {""}


def test_a_folder_with_neither_is_refused(tmp_path):
    with pytest.raises(InputError, match="neither a run nor a comparison"):
        failures(tmp_path)


def test_each_type_gets_the_same_number_as_far_as_it_has_so_many():
    everything = population(result_mismatch=50, syntax=2, schema_linking=9)
    rows = sample_failures(everything, 12)
    assert Counter(row["predicted"] for row in rows) == {
        "schema_linking": 5,
        "result_mismatch": 5,
        "syntax": 2,
    }
    assert {row["predicted"]: row["population"] for row in rows} == {
        "result_mismatch": 50,
        "syntax": 2,
        "schema_linking": 9,
    }
    assert {row["label"] for row in rows} == {""}


@given(st.integers(1, 80), st.integers(0, 3))
def test_a_sample_is_as_large_as_asked_and_equal_for_equal_seeds(n, seed):
    everything = population(result_mismatch=30, syntax=3, filter_value=7)
    rows = sample_failures(everything, n, seed)
    assert len(rows) == len({row["id"] for row in rows}) == min(n, 40)
    assert rows == sample_failures(everything[::-1], n, seed)


def test_another_seed_draws_others():
    everything = population(result_mismatch=100)
    assert sample_failures(everything, 5, 0) != sample_failures(everything, 5, 1)


def test_nothing_to_draw_is_refused():
    with pytest.raises(InputError, match="no failure"):
        sample_failures([], 5)
    with pytest.raises(InputError, match="at least one"):
        sample_failures(population(syntax=1), 0)
