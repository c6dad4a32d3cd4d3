"""Statements of other backends as the tokens that a shape is made of: SQLite's.

Only what these backends write otherwise is read otherwise: kinds of strings, quotes around names, comments,
placeholders, arrays and casts. Literals leave no trace in a shape, so they may become any literal here.
"""

from __future__ import annotations

import re

from sqlmend.databases._tokens import Token, significant
from sqlmend.memory.notes._tables import with_exact_tables

_STRING = r"'(?:[^']|'')*(?:'|\Z)"
_ESCAPED = r"'(?:[^'\\]|\\.|'')*(?:'|\Z)"
_PLACEHOLDERS = r"%s(?!\w) | %\(\w+\)s | \$[0-9]+(?!\w)"

#: PostgreSQL and DuckDB: E'' and the like, dollar quotes, names in double quotes, nested comments, arrays
#: with slices, casts. The case of a quoted name counts in PostgreSQL; in DuckDB it does not.
_POSTGRES = re.compile(
    rf"""
      (?P<line>--[^\n]*)
    | (?P<comment>/\*)
    | (?P<literal>\b[eE]{_ESCAPED} | \b(?:[uU]& | [bBxXnN]){_STRING} | {_STRING}
        | (?<![\w$])\$(?P<tag>(?:[A-Za-z_\x80-\U0010ffff][\w]*)?)\$.*?(?:\$(?P=tag)\$|\Z))
    | (?P<name>"(?:[^"]|"")*(?:"|\Z))
    | (?P<placeholder>{_PLACEHOLDERS})
    | (?P<operator>\[ | \] | ::? )
    """,
    re.VERBOSE | re.DOTALL,
)
#: MySQL: back-slashes in strings, strings in double quotes (nothing tells of ANSI_QUOTES), ``#`` comments;
#: ``--`` needs a space behind it. The case of a table's name counts.
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


def spelled(sql: str, backend: str) -> list[Token]:
    """The tokens of ``sql`` as SQLite would write it, as far as a shape can tell; never throws."""
    if backend not in _DIALECTS:
        return significant(sql)
    pattern, nested = _DIALECTS[backend]
    read: list[Token] = []
    place = 0

    def plain(end: int) -> None:
        read.extend(t._replace(start=place + t.start) for t in significant(sql[place:end]))

    while found := pattern.search(sql, place):
        start = found.start()
        plain(start)
        place = found.end()
        match found.lastgroup:
            case "comment":
                place = _comment_end(sql, place, nested)
            case "line":
                pass
            case "minus":
                read += [Token("operator", "-", start), Token("operator", "-", start + 1)]
            case "name":
                name = found[0][1:].removesuffix('"').replace('""', '"')
                text = "`" + name.replace("`", "``") + "`"
                read.append(Token("exact" if backend == "postgres" else "quoted", text, start))
            case "quoted":
                read.append(Token("quoted", found[0], start))
            case "operator":
                read.append(Token("operator", found[0], start))
            case "placeholder":
                read.append(Token("parameter", "?", start))
            case _:
                read.append(Token("string", "''", start))
    plain(len(sql))
    return with_exact_tables(read) if backend == "mysql" else read


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
