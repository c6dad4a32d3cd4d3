from __future__ import annotations

import threading

import pytest

from sqlmend.eval._reference import Denotation
from sqlmend.eval._results import ReferenceResults
from tests.eval.fake_database import rows


def denotation(count: int) -> Denotation:
    return Denotation("SELECT 1", rows(*["x" * 100] * count), (), False)


def test_a_result_is_computed_once() -> None:
    results = ReferenceResults(1 << 20)
    first = results.get("a", lambda: denotation(1))
    assert results.get("a", pytest.fail) is first


def test_the_least_recently_used_go_first() -> None:
    results = ReferenceResults(50_000)
    for key in ("a", "b", "c"):
        results.get(key, lambda: denotation(80))
    results.get("a", pytest.fail)
    results.get("d", lambda: denotation(80))
    results.get("a", pytest.fail)
    assert results.get("b", lambda: denotation(2)).outcome.rows == denotation(2).outcome.rows


def test_a_result_that_is_larger_than_the_cache_is_not_kept() -> None:
    results = ReferenceResults(1_000)
    results.get("a", lambda: denotation(1_000))
    assert len(results.get("a", lambda: denotation(1)).outcome.rows) == 1


def test_another_thread_waits_for_a_result_that_is_being_computed() -> None:
    results = ReferenceResults(1 << 20)
    begun, go_on = threading.Event(), threading.Event()

    def slow() -> Denotation:
        begun.set()
        go_on.wait()
        return denotation(1)

    found: list[Denotation] = []
    first = threading.Thread(target=lambda: found.append(results.get("a", slow)))
    second = threading.Thread(target=lambda: found.append(results.get("a", pytest.fail)))
    first.start()
    begun.wait()
    second.start()
    go_on.set()
    first.join()
    second.join()
    assert found[0] is found[1]


def test_a_lost_result_is_not_kept() -> None:
    results = ReferenceResults(1 << 20)
    assert results.get("a", lambda: Denotation("SELECT 1", rows(1), (), False, lost=True)).lost
    assert not results.get("a", lambda: denotation(1)).lost
    assert not results.get("a", pytest.fail).lost


def test_a_failure_is_not_kept() -> None:
    results = ReferenceResults(1 << 20)
    with pytest.raises(ZeroDivisionError):
        results.get("a", lambda: 1 // 0)
    assert results.get("a", lambda: denotation(1)).flags == ()
