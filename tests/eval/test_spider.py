from __future__ import annotations

import pytest

from sqlmend.eval._spider import (
    official_prediction,
    official_reference,
    order_matters,
    spelled_alike,
    without_distinct,
)


@pytest.mark.parametrize(
    ("sql", "stripped"),
    [
        ("SELECT DISTINCT a FROM t", "SELECT  a FROM t"),
        ("SELECT count(distinct a), Distinct", "SELECT count( a), "),
        ("SELECT 'DISTINCT', \"distinct\", `distinct`, [distinct]", None),
        ("SELECT a -- DISTINCT\n, b /* distinct */", None),
        ("SELECT 'it''s', DISTINCT", "SELECT 'it''s', "),
        (r"SELECT 'a\', DISTINCT 'b'", None),
        (
            "SELECT t.distinct, @distinct, distincts, x_distinct",
            "SELECT t., @distinct, distincts, x_distinct",
        ),
        ("a IS DISTINCT FROM b", "a IS  FROM b"),
        ("SELECT 'unclosed DISTINCT", "SELECT 'unclosed "),
        ("", None),
    ],
)
def test_distinct_is_dropped_wherever_it_is_a_word(sql: str, stripped: str | None) -> None:
    assert without_distinct(sql) == (sql if stripped is None else stripped)


@pytest.mark.parametrize("run", [official_prediction, official_reference])
def test_the_texts_that_run(run: object) -> None:
    assert callable(run)
    assert run("SELECT DISTINCT a FROM t WHERE b > = 1", keep_distinct=True) == (
        "SELECT DISTINCT a FROM t WHERE b >= 1"
    )
    assert run("b < = 1 AND c ! = 2", keep_distinct=False) == "b <= 1 AND c != 2"
    assert run("year ( CurDate() ) - 1", keep_distinct=False) == "2020- 1"


def test_the_placeholder_value_is_for_predictions_only() -> None:
    assert official_prediction("a = value AND b", keep_distinct=True) == "a = 1 AND b"
    assert official_reference("a = value AND b", keep_distinct=True) == "a = value AND b"


def test_order_matters_wherever_the_words_occur() -> None:
    assert order_matters("SELECT a FROM (SELECT a FROM t Order By a)")
    assert order_matters("SELECT 'order by'")
    assert not order_matters("SELECT a FROM t ORDER  BY a")


def test_an_integer_and_a_real_may_be_spelled_into_another_place() -> None:
    assert spelled_alike([(1, 10)], [(10, 1)], ordered=False)
    assert not spelled_alike([(1, 10)], [(1.0, 10)], ordered=False)
    assert spelled_alike([(2, 10)], [(2.0, 10)], ordered=True)
    assert spelled_alike([(1,), (1,)], [(1,), (1,)], ordered=False)
    assert not spelled_alike([(1,), (2,)], [(2,), (1,)], ordered=True)
