"""The difference between two statements as text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.databases import canonical, delta
from tests.databases.cases import table
from tests.databases.texts import spelt, statements_of_words, texts


@pytest.mark.parametrize("case", table("delta"))
def test_deltas(case: dict[str, Any]) -> None:
    assert delta(case["before"], case["after"]) == case["delta"]


@given(texts, texts)
def test_none_exactly_when_equal_and_never_long(before: str, after: str) -> None:
    text = delta(before, after)
    assert (text == "(none)") is (canonical(before) == canonical(after))
    assert text
    assert len(text) <= 950


@given(st.data(), statements_of_words(), statements_of_words())
def test_comments_and_stray_semicolons_leave_no_trace(
    data: st.DataObject, before: list[str], after: list[str]
) -> None:
    assert delta(data.draw(spelt(before)), " ".join(before)) == "(none)"
    assert delta(";" + " ".join(before), " ".join(after) + " -- x") == delta(
        " ".join(before), " ".join(after)
    )


def test_a_huge_statement_has_a_short_delta() -> None:
    before = "SELECT " + ", ".join(f"c{i}" for i in range(1500)) + " FROM t"
    assert delta(before, before.replace("c700", "x")).startswith("SQL: ... ")
    assert len(delta(before, "SELECT " + "'x' || " * 1500 + "1")) <= 950
