"""Double-quoted words that name nothing."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from sqlmend.databases import Column, Schema, Table, lint
from tests.databases.cases import table
from tests.databases.texts import texts

_SCHEMA = Schema(
    (
        Table("city", tuple(map(Column, ("id", "name", "pop", "country", "grade")))),
        Table("order", (Column("key"), Column("note"))),
    )
)


@pytest.mark.parametrize("case", table("lint"))
def test_lint(case: dict[str, Any]) -> None:
    expected = tuple(f"dqs_literal: {word} is not a column" for word in case["words"])
    assert lint(case["sql"], _SCHEMA) == expected


@given(texts)
def test_any_text_can_be_linted(sql: str) -> None:
    assert all(found.startswith("dqs_literal: ") for found in lint(sql, _SCHEMA))
    assert all(found.startswith("dqs_literal: ") for found in lint(sql, Schema(())))
