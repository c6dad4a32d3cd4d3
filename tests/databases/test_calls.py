"""Statements whose result can change while the data does not."""

from __future__ import annotations

import sqlite3
from typing import Any

import pytest
from hypothesis import given

from sqlmend.databases import is_nondeterministic, reads_clock
from tests.databases.cases import table
from tests.databases.texts import texts


@pytest.mark.parametrize("case", table("calls"))
def test_calls(case: dict[str, Any]) -> None:
    assert reads_clock(case["sql"]) is case["clock"]
    assert is_nondeterministic(case["sql"]) is case["random"]


@pytest.mark.parametrize(
    "arguments", ["", "'now'", "'NOW'", "'now', '+1 day'", "'2020-01-01'", "'2020-01-01', '+1 day'"]
)
@pytest.mark.parametrize("function", ["date", "time", "datetime", "julianday", "strftime"])
def test_sqlite_says_the_same(function: str, arguments: str) -> None:
    """An index refuses what reads the clock; SQLite finds out when the first row comes."""
    if function == "strftime":
        arguments = f"'%Y', {arguments}" if arguments else "'%Y'"
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t(a)")
    connection.execute(f"CREATE INDEX i ON t({function}({arguments}))")
    try:
        connection.execute("INSERT INTO t VALUES (1)")
        refused = False
    except sqlite3.OperationalError as error:
        refused = "non-deterministic" in str(error)
    connection.close()
    assert reads_clock(f"SELECT {function}({arguments})") is refused


@given(texts)
def test_any_text_has_an_answer(sql: str) -> None:
    assert reads_clock(sql) in (True, False)
    assert is_nondeterministic(sql) in (True, False)


def test_nested_calls_are_read_once() -> None:
    assert not reads_clock("date(" * 5_000)
    assert reads_clock("date(" * 5_000 + "'now'" + ")" * 5_000)
