"""Statements of other backends in the spelling that ``shape`` reads: SQLite's.

Only what these backends write otherwise is changed: kinds of strings, quotes around names, comments and
placeholders. Literals leave no trace in a shape, so they may become any literal here.
"""

from __future__ import annotations

import re

_STRING = r"'(?:[^']|'')*(?:'|\Z)"
_ESCAPED = r"'(?:[^'\\]|\\.|'')*(?:'|\Z)"
_PLACEHOLDERS = r"%s(?!\w) | %\(\w+\)s | \$[0-9]+(?!\w)"

#: PostgreSQL and DuckDB: E'' and the like, dollar quotes, names in double quotes, nested comments.
_POSTGRES = re.compile(
    rf"""
      (?P<line>--[^\n]*)
    | (?P<comment>/\*)
    | (?P<literal>\b[eE]{_ESCAPED} | \b(?:[uU]& | [bBxXnN]){_STRING} | {_STRING}
        | (?<![\w$])\$(?P<tag>(?:[A-Za-z_\x80-\U0010ffff][\w]*)?)\$.*?(?:\$(?P=tag)\$|\Z))
    | (?P<name>"(?:[^"]|"")*(?:"|\Z))
    | (?P<placeholder>{_PLACEHOLDERS})
    """,
    re.VERBOSE | re.DOTALL,
)
#: MySQL: back-slashes in strings, strings in double quotes, ``#`` comments; ``--`` needs a space behind it.
_MYSQL = re.compile(
    rf"""
      (?P<line>(?:\# | --(?=[\s]|\Z))[^\n]*)
    | (?P<minus>--)
    | (?P<comment>/\*)
    | (?P<literal>(?:\b(?:_[a-zA-Z0-9]+\s* | [nNxXbB]))?{_ESCAPED} | "(?:[^"\\]|\\.|"")*(?:"|\Z))
    | (?P<quoted>`[^`]*(?:``[^`]*)*`?)
    | (?P<placeholder>{_PLACEHOLDERS})
    """,
    re.VERBOSE | re.DOTALL,
)
_DIALECTS = {"postgres": (_POSTGRES, True), "duckdb": (_POSTGRES, True), "mysql": (_MYSQL, False)}
_COMMENT_MARK = re.compile(r"/\*|\*/")


def spelled(sql: str, backend: str) -> str:
    """``sql`` as SQLite would write it, as far as a shape can tell; never throws."""
    if backend not in _DIALECTS:
        return sql
    pattern, nested = _DIALECTS[backend]
    pieces: list[str] = []
    place = 0
    while found := pattern.search(sql, place):
        pieces.append(sql[place : found.start()])
        place = found.end()
        match found.lastgroup:
            case "comment":
                place = _comment_end(sql, place, nested)
                pieces.append(" ")
            case "line":
                pieces.append(" ")
            case "minus":
                pieces.append("- -")
            case "name":
                name = found[0][1:].removesuffix('"').replace('""', '"')
                pieces.append("`" + name.replace("`", "``") + "`")
            case "quoted":
                pieces.append(found[0])
            case "placeholder":
                pieces.append("?")
            case _:
                pieces.append(" ''")
    pieces.append(sql[place:])
    return "".join(pieces)


def _comment_end(sql: str, place: int, nested: bool) -> int:
    depth = 1
    while depth:
        mark = _COMMENT_MARK.search(sql, place)
        if mark is None:
            return len(sql)
        place = mark.end()
        if mark[0] == "*/":
            depth -= 1
        elif nested:
            depth += 1
    return place
