from __future__ import annotations

import pytest

from sqlmend.eval._texts import has_stray_semicolon, volatile


@pytest.mark.parametrize(
    ("sql", "stray"),
    [
        ("SELECT 1", False),
        ("SELECT 1;", False),
        ("SELECT 1; ", False),
        ("SELECT 1; -- c", False),
        ("SELECT ';;'", False),
        ("SELECT 1 -- ;;", False),
        ("SELECT 1;;", True),
        ("SELECT 1; /* c */ ;", True),
        (";SELECT 1", True),
        ("SELECT 1; SELECT 2", False),
        ("", False),
        (";", False),
    ],
)
def test_stray_semicolons(sql: str, stray: bool) -> None:
    assert has_stray_semicolon(sql) is stray


@pytest.mark.parametrize(
    ("sql", "flags"),
    [
        ("SELECT DATE('now')", ("clock_dependent",)),
        ("SELECT random()", ("nondeterministic",)),
        ("SELECT CURRENT_DATE, randomblob(1)", ("clock_dependent", "nondeterministic")),
        ("SELECT datetime /* c */ ()", ("clock_dependent",)),
        ("SELECT strftime -- c\n('%Y')", ("clock_dependent",)),
        ("SELECT [unixepoch]()", ("clock_dependent",)),
        ("SELECT 'now', date('2020-01-01'), random FROM t", ()),
    ],
)
def test_what_may_change_while_the_data_does_not(sql: str, flags: tuple[str, ...]) -> None:
    assert volatile(sql) == flags
