"""Canonical text: what folds and what does not."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.databases import canonical
from tests.databases.cases import table
from tests.databases.texts import spelt, statements_of_words, texts


@pytest.mark.parametrize("case", table("canonical"))
def test_equal_or_not(case: dict[str, Any]) -> None:
    assert (canonical(case["one"]) == canonical(case["other"])) is case["equal"]


def test_is_readable() -> None:
    assert canonical("SELECT count(*)\nFROM City -- all\n;") == "select count ( * ) from city"


@given(texts)
def test_twice_is_once(sql: str) -> None:
    assert canonical(canonical(sql)) == canonical(sql)


@given(st.data(), statements_of_words())
def test_case_space_and_comments_do_not_count(data: st.DataObject, words: list[str]) -> None:
    assert canonical(data.draw(spelt(words))) == canonical(" ".join(words))
