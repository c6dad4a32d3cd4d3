"""Real statements, and what stands at their top level."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from sqlmend.databases import has_top_level, is_query, statements
from tests.databases.cases import table
from tests.databases.texts import texts


@pytest.mark.parametrize("case", table("statements"))
def test_statements(case: dict[str, Any]) -> None:
    assert list(statements(case["sql"])) == case["statements"]


@pytest.mark.parametrize("case", table("top_level"))
def test_top_level(case: dict[str, Any]) -> None:
    assert has_top_level(case["sql"], case["phrase"]) is case["found"]


@given(texts)
def test_each_statement_is_one(sql: str) -> None:
    for statement in statements(sql):
        assert statements(statement) == (statement,)
    has_top_level(sql, "ORDER BY")


@pytest.mark.parametrize(
    ("sql", "query"),
    [
        ("-- a\nSELECT 1;", True),
        ("with a as (select 1) select * from a", True),
        ("VALUES (1)", True),
        ("SELECT 1; SELECT 2", False),
        ("CREATE TABLE t (a)", False),
        ("", False),
    ],
)
def test_what_begins_like_one_query(sql: str, query: bool) -> None:
    assert is_query(sql) is query
