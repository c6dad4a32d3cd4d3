from __future__ import annotations

import pytest

from sqlmend.eval._definitions import DEFINITIONS

PLAIN = "SELECT a FROM t"
ORDERED = "SELECT a FROM t ORDER BY a"
INNER = "SELECT a FROM (SELECT a FROM t ORDER BY a)"

CASES = [
    # reference rows, predicted rows, reference text, the definitions under which they are the same
    ([(1,), (2,)], [(2,), (1,)], PLAIN, "bird spider bag ordered"),
    ([(1,), (2,)], [(2,), (1,)], ORDERED, "bird bag"),
    ([(1,), (2,)], [(2,), (1,)], INNER, "bird bag ordered"),
    ([(1,), (1,)], [(1,)], PLAIN, "bird"),
    ([(1, "a")], [("a", 1)], PLAIN, "spider"),
    ([(1, "a"), (2, "b")], [("a", 2), ("b", 1)], PLAIN, ""),
    ([], [], ORDERED, "bird spider bag ordered"),
    ([], [(None,)], PLAIN, ""),
    ([(1,)], [(1, 1)], PLAIN, ""),
    ([(1,)], [(1.0,)], PLAIN, "bird spider bag ordered"),
    ([(1, 10)], [(1.0, 10)], PLAIN, "bird bag ordered"),
    ([("1",)], [(1,)], PLAIN, ""),
    ([(0.3,)], [(0.1 + 0.2,)], PLAIN, ""),
    ([(b"a",)], [("a",)], PLAIN, ""),
]


@pytest.mark.parametrize("name", ["bird", "spider", "bag", "ordered"])
@pytest.mark.parametrize(("reference", "predicted", "sql", "same_under"), CASES)
def test_same(reference: list, predicted: list, sql: str, same_under: str, name: str) -> None:
    same = DEFINITIONS[name].same(reference, predicted, reference_sql=sql, tolerance=None)
    assert same is (name in same_under.split())


@pytest.mark.parametrize("name", list(DEFINITIONS))
def test_a_tolerance_holds_under_every_definition(name: str) -> None:
    reference, predicted = [(0.3, "x"), (7, "y")], [(0.1 + 0.2, "x"), (7.0, "y")]
    same = DEFINITIONS[name].same
    assert same(reference, predicted, reference_sql=ORDERED, tolerance=1e-9)
    assert not same(reference, predicted, reference_sql=ORDERED, tolerance=0.0)
    assert not same(reference, [*predicted, (8, "z")], reference_sql=PLAIN, tolerance=1e-9)


def test_a_tolerance_keeps_what_a_definition_says_of_order() -> None:
    reference, predicted = [(0.3,), (1,)], [(1,), (0.1 + 0.2,)]
    for name, in_order in (("bag", True), ("ordered", False), ("spider", False), ("bird", True)):
        same = DEFINITIONS[name].same(reference, predicted, reference_sql=ORDERED, tolerance=1e-9)
        assert same is in_order, name
    assert DEFINITIONS["spider"].same([(0.3, "x")], [("x", 0.1 + 0.2)], reference_sql=PLAIN, tolerance=1e-9)


def test_only_spider_derives_a_text() -> None:
    sql = "SELECT DISTINCT a FROM t"
    derived = {name for name in DEFINITIONS if DEFINITIONS[name].prediction_text(sql) != sql}
    assert derived == {"spider"}


def test_an_unknown_name_is_a_value_error_with_near_names() -> None:
    with pytest.raises(ValueError, match=r"unknown definition 'brid'.*bird"):
        DEFINITIONS["brid"]
