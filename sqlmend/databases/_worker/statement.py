"""How the worker finds the one statement of a text."""

from __future__ import annotations

import re
import sqlite3

# SQLite's own token boundaries, as far as they decide where a statement ends.
_SPACE = " \t\n\f\r\ufeff"
_COMMENT = r"--[^\n]*+|/\*(?=.).*?(?:\*/|\Z)"
_LEADING = re.compile(rf"(?:[{_SPACE};]++|{_COMMENT})*+", re.DOTALL)
_EXPLAIN = re.compile(r"explain(?![\w$])", re.IGNORECASE)
_TOKEN = re.compile(
    rf"(?P<comment>{_COMMENT})"
    r"|'[^']*+(?:''[^']*+)*+(?:'|\Z)"
    r'|"[^"]*+(?:""[^"]*+)*+(?:"|\Z)'
    r"|`[^`]*+(?:``[^`]*+)*+(?:`|\Z)"
    r"|\[[^\]]*+(?:\]|\Z)"
    r"|(?P<word>[\w$]++)"
    rf"|[^{_SPACE}]",
    re.DOTALL,
)
_QUERY = frozenset({"select", "values"})
_CHANGE = frozenset({"insert", "update", "delete", "replace"})
_CONTROL = _CHANGE | frozenset(
    """
    create drop alter attach detach pragma begin commit end rollback savepoint release vacuum analyze reindex
    explain
    """.split()
)


class Refused(Exception):
    """The sandbox's own refusal: a status of contract 1 and its text."""

    def __init__(self, status: str, text: str) -> None:
        super().__init__(text)
        self.status = status


def only_statement(sql: str) -> str:
    """The one real statement of ``sql``, as written; comments and empty statements do not count.

    Raises:
        Refused: There is none, there are several, it is an EXPLAIN (for which the engine asks no leave), or
            the text holds a NUL.
    """
    if "\0" in sql:
        raise Refused("syntax_error", "the query contains a null character")
    leading = _LEADING.match(sql)
    start = leading.end() if leading else 0
    if start == len(sql):
        raise Refused("no_statement", "there is no statement in the text")
    semicolon = sql.find(";", start)
    if semicolon not in (-1, len(sql.rstrip(" \t\n\f\r")) - 1):
        sql = _first_of_one(sql, start)
    if _EXPLAIN.match(sql, start):
        raise Refused("denied", "not authorized: EXPLAIN")
    return sql


def _first_of_one(sql: str, start: int) -> str:
    end = 0
    for token in _TOKEN.finditer(sql, start):
        if token["comment"] is not None:
            continue
        if end and token[0] != ";":
            raise Refused("multi_statement", "You can only execute one statement at a time.")
        # complete_statement knows the one statement that has semicolons inside: CREATE TRIGGER.
        if not end and token[0] == ";" and sqlite3.complete_statement(sql[start : token.end()]):
            end = token.end()
    return sql[:end] if end else sql


def is_control(sql: str) -> bool:
    """Whether the statement is, by its verb, something else than a query."""
    with_seen, depth = False, 0
    for token in _TOKEN.finditer(sql):
        text = token[0]
        if text in "()":
            depth += 1 if text == "(" else -1
        elif token["word"] is not None and depth == 0:
            word = text.lower()
            if word in _QUERY or (not with_seen and word != "with"):
                return word in _CONTROL
            if with_seen and word in _CHANGE:
                return True
            with_seen = True
    return False
