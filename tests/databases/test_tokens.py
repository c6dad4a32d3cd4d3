"""Tokens: what each is, and that together they are the text."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from sqlmend.databases import tokens
from tests.databases.cases import table
from tests.databases.texts import texts


@pytest.mark.parametrize("case", table("tokens"))
def test_kinds(case: dict[str, Any]) -> None:
    assert [[token.kind, token.text] for token in tokens(case["sql"])] == case["tokens"]


@given(texts)
def test_joined_they_are_the_text(sql: str) -> None:
    found = tokens(sql)
    assert "".join(token.text for token in found) == sql
    assert all(token.text and sql[token.start : token.end] == token.text for token in found)


@pytest.mark.parametrize(
    ("sql", "name"),
    [
        ("Name", "name"),
        ('"Na""me"', 'na"me'),
        ("`Na``me`", "na`me"),
        ("[Na me]", "na me"),
        ("'it''s'", "it's"),
        ('"open', "open"),
        ('"', ""),
    ],
)
def test_name_is_without_quotes_and_case(sql: str, name: str) -> None:
    assert tokens(sql)[0].name == name


def test_folded_never_takes_a_string_for_a_keyword() -> None:
    assert [token.folded for token in tokens("AND 'and' \"and\"") if token.kind != "space"] == ["and", "", ""]
