"""SQL features of a query, held against sqlglot where it can read it."""

from __future__ import annotations

import pytest
import sqlglot
from hypothesis import given
from hypothesis import strategies as st
from sqlglot import exp

from sqlmend.eval.measures import FEATURES, sql_features
from tests.simulator import references


@pytest.mark.parametrize(
    ("sql", "features"),
    [
        ("SELECT a FROM t", ["plain"]),
        ("SELECT a, b FROM t WHERE x IN (1, 2) ORDER BY a, b LIMIT 3", ["plain"]),
        ("SELECT a FROM t JOIN u ON t.x = u.x", ["joins"]),
        ("SELECT a FROM t, u WHERE t.x = u.x", ["joins"]),
        ("SELECT a FROM t NATURAL LEFT JOIN u", ["joins"]),
        ("SELECT a FROM t GROUP BY a, b", ["grouping"]),
        ('SELECT "group" FROM t ORDER BY 1', ["plain"]),
        ("SELECT a FROM t WHERE x = (SELECT MAX(x) FROM t)", ["nesting"]),
        ("SELECT a FROM (SELECT a, b FROM t, u) AS v", ["joins", "nesting"]),
        ("SELECT a FROM (SELECT a FROM t), u", ["joins", "nesting"]),
        ("WITH v AS (SELECT a FROM t) SELECT a FROM v", ["nesting"]),
        ("SELECT a FROM t UNION SELECT a FROM u", ["set_operations"]),
        ("SELECT a FROM t EXCEPT SELECT a FROM u GROUP BY a", ["grouping", "set_operations"]),
        ("SELECT 'join union (select' AS a FROM t -- group by", ["plain"]),
        ("SELECT COUNT(a, b) FROM t", ["plain"]),
        ("SELECT MAX(a), b FROM t WHERE f(a, b)", ["plain"]),
        ("SELEC a FRM t JOIN", ["joins"]),
        ("", ["no_statement"]),
        (" -- nothing\n;", ["no_statement"]),
        (")))) SELECT a FROM t, u", ["joins"]),
    ],
)
def test_features_by_hand(sql, features):
    assert list(sql_features(sql)) == features


@pytest.mark.parametrize("sql", sorted(set(references().values()))[::3])
def test_the_features_of_real_queries_are_those_that_sqlglot_finds(sql):
    tree = sqlglot.parse_one(sql, dialect="sqlite")
    found = {
        "joins": tree.find(exp.Join) is not None,
        "nesting": any(select.parent is not None and _inner(select) for select in tree.find_all(exp.Select)),
        "grouping": tree.find(exp.Group) is not None,
        "set_operations": tree.find(exp.SetOperation) is not None,
    }
    assert set(sql_features(sql)) == {name for name, there in found.items() if there} or {"plain"}


def _inner(select):
    return select.find_ancestor(exp.Subquery, exp.CTE, exp.In, exp.Exists) is not None


@given(st.text())
def test_any_text_has_features(text):
    found = sql_features(text)
    assert found
    assert set(found) <= set(FEATURES)
    assert len(found) == 1 or not {"plain", "no_statement"} & set(found)
