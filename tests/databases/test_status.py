"""Names of errors that the sandbox itself rarely or never lets happen."""

from __future__ import annotations

import sqlite3

import pytest

from sqlmend.databases._outcome import STATUSES
from sqlmend.databases._status import _TEXTS, status_of


@pytest.mark.parametrize(
    ("code", "text", "status"),
    [
        (sqlite3.SQLITE_CONSTRAINT, "UNIQUE constraint failed: t.a", "constraint_violation"),
        (sqlite3.SQLITE_CONSTRAINT_NOTNULL, "NOT NULL constraint failed: t.a", "constraint_violation"),
        (0, "CHECK constraint failed: t", "constraint_violation"),
        (sqlite3.SQLITE_READONLY, "attempt to write a readonly database", "denied"),
        (sqlite3.SQLITE_AUTH, "access to t.a is prohibited", "denied"),
        (sqlite3.SQLITE_INTERRUPT, "interrupted", "timeout"),
        (0, "interrupted", "timeout"),
        (sqlite3.SQLITE_IOERR_WRITE, "disk I/O error", "too_large"),
        (sqlite3.SQLITE_FULL, "database or disk is full", "too_large"),
        (sqlite3.SQLITE_NOMEM, "", "too_large"),
        (sqlite3.SQLITE_TOOBIG, "string or blob too big", "too_large"),
        (sqlite3.SQLITE_IOERR_READ, "disk I/O error", "other_error"),
        (sqlite3.SQLITE_CORRUPT, "database disk image is malformed", "other_error"),
        (sqlite3.SQLITE_BUSY, "database is locked", "other_error"),
        (sqlite3.SQLITE_CANTOPEN, "unable to open database file", "other_error"),
        (sqlite3.SQLITE_MISMATCH, "datatype mismatch", "type_mismatch"),
        (sqlite3.SQLITE_ERROR, "no such view: v", "unknown_table"),
        (sqlite3.SQLITE_ERROR, "a GROUP BY clause is required before HAVING", "misuse_of_aggregate"),
        (
            sqlite3.SQLITE_ERROR,
            'no such column: "x" - should this be a string literal in single-quotes?',
            "unknown_column",
        ),
        (sqlite3.SQLITE_ERROR, "unsafe use of load_extension()", "denied"),
        (0, "You can only execute one statement at a time.", "multi_statement"),
        (0, "the query contains a null character", "syntax_error"),
        (0, "something new", "other_error"),
        (0, "", "other_error"),
    ],
)
def test_codes_first_then_texts(code: int, text: str, status: str) -> None:
    assert status_of(code, text) == status


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("no such column: {}", "unknown_column"),
        ("no such column: T1.{}", "unknown_column"),
        ("no such table: {}", "unknown_table"),
        ("no such function: {}", "unknown_function"),
        ("no such collation sequence: {}", "other_error"),
        ("ambiguous column name: {}", "ambiguous_column"),
        ("table {} has no column named x", "unknown_column"),
        ("table {} has 2 values for 1 columns", "other_error"),
        ("cannot join using column {} - column not present in both tables", "unknown_column"),
        ('near "{}": syntax error', "syntax_error"),
        ('unrecognized token: "{}"', "syntax_error"),
        ("CHECK constraint failed: {}", "constraint_violation"),
        ("access to {} is prohibited", "denied"),
    ],
)
@pytest.mark.parametrize(
    "name", ["a", "too long", "Too Many", "out of memory", "a is prohibited", "x: syntax error", "a\nb"]
)
def test_a_name_says_nothing(text: str, status: str, name: str) -> None:
    assert status_of(sqlite3.SQLITE_ERROR, text.format(name)) == status


def test_every_name_is_a_status() -> None:
    assert {status for status, _ in _TEXTS} <= set(STATUSES)
