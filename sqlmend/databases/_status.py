"""What an SQLite error is called: its code first, then its text."""

from __future__ import annotations

import re
import sqlite3

_CODES = {
    sqlite3.SQLITE_AUTH: "denied",
    sqlite3.SQLITE_READONLY: "denied",
    sqlite3.SQLITE_PERM: "denied",
    sqlite3.SQLITE_INTERRUPT: "timeout",
    sqlite3.SQLITE_TOOBIG: "too_large",
    sqlite3.SQLITE_NOMEM: "too_large",
    sqlite3.SQLITE_FULL: "too_large",
    sqlite3.SQLITE_CONSTRAINT: "constraint_violation",
    sqlite3.SQLITE_MISMATCH: "type_mismatch",
}

# Most of what is wrong with a statement is SQLITE_ERROR, and only the text tells which. First match wins:
# the texts that quote a part of the statement come first, because a column may be called "too long".
_TEXTS = tuple(
    (status, re.compile(pattern, re.IGNORECASE | re.DOTALL))
    for status, pattern in (
        ("unknown_table", r"^no such (table|view|index|module)"),
        ("unknown_column", r"^no such column|^table .* has no column named|^cannot join using column"),
        ("ambiguous_column", r"^ambiguous column name|^ambiguous reference"),
        (
            "misuse_of_aggregate",
            r"^misuse of (aliased )?(aggregate|window)"
            r"|^wrong number of arguments to function (count|sum|total|avg|min|max|group_concat)\(",
        ),
        (
            "unknown_function",
            r"^no such (function|window)|^wrong number of arguments to function|^'.*' is not a function$",
        ),
        ("syntax_error", r"^near \".*\": syntax error$|^unrecognized token|^unterminated"),
        ("denied", r"^not authorized|^access to .* is prohibited$|^unsafe use of"),
        ("constraint_violation", r"constraint failed"),
        ("other_error", r"^no such |^table |^duplicate |^circular reference|^multiple .*references"),
        ("denied", r"prohibited in"),
        (
            "too_large",
            r"too large|too big|too many|too complex|too long|stack overflow|^at most \d+ tables"
            r"|out of memory|database or disk is full",
        ),
        ("unknown_column", r"(ORDER|GROUP) BY term (out of range|does not match)"),
        (
            "misuse_of_aggregate",
            r"aggregate functions are not allowed"
            r"|HAVING clause on a non-aggregate|GROUP BY clause is required before HAVING"
            r"|may not be used as a window function|may not be used with non-aggregate"
            r"|^DISTINCT aggregates|^DISTINCT is not supported|^FILTER clause may only be used",
        ),
        ("type_mismatch", r"datatype mismatch|malformed JSON"),
        (
            "syntax_error",
            r"syntax error|incomplete input|^unknown join type"
            r"|^unknown or unsupported join type|do not have the same number of result columns"
            r"|clause should come (after|before)|must have the same number of terms"
            r"|^sub-select returns|^row value misused|^no tables specified"
            r"|ON clause references|^a NATURAL join|^cannot use DEFAULT|null character",
        ),
        ("multi_statement", r"one statement at a time"),
        ("timeout", r"^interrupted$"),
    )
)
_OUT_OF_FILE_SIZE = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_TRUNCATE)


def status_of(code: int, text: str) -> str:
    """The status of contract 1 for an SQLite error.

    Args:
        code: The (extended) result code; 0 where there is none.
        text: The engine's message.
    """
    if code in _OUT_OF_FILE_SIZE:
        return "too_large"
    known = _CODES.get(code & 0xFF)
    if known is not None:
        return known
    if code & 0xFF not in (0, sqlite3.SQLITE_ERROR):
        return "other_error"
    return next((status for status, pattern in _TEXTS if pattern.search(text)), "other_error")
