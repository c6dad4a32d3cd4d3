"""Rows and queries on a terminal: every value as it is, and never a column without room."""

from __future__ import annotations

import pytest
from rich.console import Console

from sqlmend.cli._frame import console, out
from sqlmend.cli._rows import rows_table
from sqlmend.databases import Outcome


def shown(outcome: Outcome, most: int = 10, width: int = 80) -> str:
    terminal = Console(width=width, emoji=False, markup=False)
    with terminal.capture() as capture:
        terminal.print(rows_table(outcome, most, width))
    return capture.get()


@pytest.mark.parametrize("stream", [console, out])
@pytest.mark.parametrize("text", ["urn:book:12", "a:key:b", "[red]x[/red]"])
def test_text_of_a_database_is_shown_as_it_is(stream: Console, text: str) -> None:
    with stream.capture() as capture:
        stream.print(text)
        stream.print(rows_table(Outcome("ok", rows=[(text,)], columns=("a",)), 1, 80))
    assert capture.get().count(text) == 2


def test_columns_that_fit_stand_side_by_side() -> None:
    text = shown(Outcome("ok", rows=[(1, None), (2, b"\0\xff")], columns=("id", "note")))
    lines = [line.split() for line in text.splitlines()]
    assert ["│", "1", "│", "NULL", "│"] in lines
    assert ["│", "2", "│", "00ff", "│"] in lines


def test_wide_rows_have_a_line_for_each_column() -> None:
    names = [f"column_{number}" for number in range(30)]
    rows = [tuple(f"value {line}.{number}" for number in range(30)) for line in range(3)]
    text = shown(Outcome("ok", rows=rows, columns=tuple(names)), most=2)
    for number in range(30):
        assert sum(f"column_{number} " in line for line in text.splitlines()) == 2
        assert f"value 1.{number} " in text
    assert "value 2.0" not in text


def test_many_narrow_columns_still_stand_side_by_side() -> None:
    text = shown(Outcome("ok", rows=[tuple(range(15))], columns=tuple("abcdefghijklmno")))
    assert any(line.split("│")[1:4] == [" 0 ", " 1 ", " 2 "] for line in text.splitlines())


def test_wide_columns_without_rows_keep_their_names() -> None:
    assert "a" in shown(Outcome("ok", rows=[], columns=("a",)))
