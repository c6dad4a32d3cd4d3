"""The SQL in a model's answer."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.databases import extract_answer, extract_sql
from tests.databases.cases import table
from tests.databases.texts import names, statements_of_words, texts

_WRAPPERS = (
    "{}",
    "{};",
    "\n  {}  \n",
    "-- c\n{}\n-- d",
    "<answer>{}</answer>",
    "<answer>{};",
    "Sure:\n<ANSWER>\n```sql\n{};\n```\n</ANSWER> ok",
    "```sql\n{}\n```",
    "```\n{};\n```\nIt's done.",
    "<think>SELECT 9;</think>\n{}",
    "SELECT 9;</think>\n```sqlite\n{}\n```",
    "Here it is:\n{};\nThat's it; done.",
)


@pytest.mark.parametrize("case", [*table("extraction_cases"), *table("extraction_more")])
def test_extraction(case: dict[str, Any]) -> None:
    assert extract_sql(case["text"]) == case["sql"]


@pytest.mark.parametrize("wrapper", _WRAPPERS)
@given(words=statements_of_words(literal=names | st.sampled_from(["1", "';'", "'it''s'", "'--'", '"/*"'])))
def test_a_statement_survives_its_wrapping(wrapper: str, words: list[str]) -> None:
    sql = " ".join(words).removesuffix(" ;")
    assert extract_sql(wrapper.replace("{}", sql)) == sql


@given(texts)
def test_any_text_has_an_answer(text: str) -> None:
    sql = extract_sql(text)
    assert sql is None or (sql and sql == sql.strip(" \t\r\n;"))


@pytest.mark.parametrize(
    "piece", ["with\n", "<think></think>", "<answer>", "```sql\n", "\n", "'", "select the\n"]
)
def test_a_long_answer_is_read_in_bounded_time(piece: str) -> None:
    extract_sql(piece * 20_000)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<answer> one </answer><answer>two</answer><answer> </answer>", "two"),
        ("<think>a <answer>b</answer></think>c", "c"),
        ("<answer>open", "open"),
        ("  plain  ", "plain"),
        ("", ""),
    ],
)
def test_an_answer_in_words(text, answer):
    assert extract_answer(text) == answer
