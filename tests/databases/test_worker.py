"""How the worker finds the one statement of a text."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlmend.databases._statements import statements
from sqlmend.databases._worker.statement import Refused, is_control, only_statement

_PIECES = [
    *"';\"`[]()\n aA1?\ufeff\u00a0",
    *("--", "/*", "*/", "''", "SELECT 1", "explain ", "x'00'", "END"),
    "CREATE TRIGGER x AFTER INSERT ON t BEGIN ",
]


def _count(sql: str) -> str:
    try:
        only_statement(sql)
    except Refused as refusal:
        return "one" if refusal.status == "denied" else refusal.status
    return "one"


@settings(max_examples=300)
@given(st.lists(st.sampled_from(_PIECES), max_size=14).map("".join))
def test_counts_statements_like_the_tokenizer(sql: str) -> None:
    found = len(statements(sql))
    assert _count(sql) == ("no_statement" if found == 0 else "one" if found == 1 else "multi_statement")


@pytest.mark.parametrize(
    ("sql", "kept"),
    [
        ("SELECT 1", "SELECT 1"),
        ("SELECT 1;", "SELECT 1;"),
        (" -- c\n SELECT 1 ; -- d", " -- c\n SELECT 1 ;"),
        (";;SELECT ';';;", ";;SELECT ';';"),
    ],
)
def test_the_statement_stays_as_written(sql: str, kept: str) -> None:
    assert only_statement(sql) == kept


@pytest.mark.parametrize(
    ("sql", "control"),
    [
        ("SELECT 1", False),
        ("VALUES (1)", False),
        ("-- c\ndelete FROM t", True),
        ("WITH x AS (SELECT 1) SELECT * FROM x", False),
        ("WITH x(replace) AS (DELETE) INSERT INTO t SELECT 1", True),
        ("WITH x AS (SELECT 1), y AS NOT MATERIALIZED (SELECT 2) UPDATE t SET a = 1", True),
        ("'DELETE'", False),
        ("", False),
        ("nonsense", False),
    ],
)
def test_knows_a_query_from_a_change(sql: str, control: bool) -> None:
    assert is_control(sql) is control
