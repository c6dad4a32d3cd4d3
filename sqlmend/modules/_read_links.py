"""Reading tables and columns from an answer, by the names that the schema has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlmend.databases import Schema
from sqlmend.databases.views import Links

_MARK = r"^\W*(?:\d+\s*[.)]\s*)?\W*(?:tables?\b\W*)?"
_PARTS = r"\s*(?::|\(|=|\||->|\s[-–—]\s)"


def read_links(text: str, schema: Schema) -> Links:
    """The tables and columns that an answer names.

    A line is a table and its columns, or names ``table.column``; in a line, names are looked for, the
    longest first, so that they may hold spaces, commas and parentheses.
    """
    tables = {_plain(t.name): {_plain(c.name): c.name.lower() for c in t.columns} for t in schema.tables}
    spelled = {_plain(table.name): table.name for table in schema.tables}
    named: dict[str, list[str]] = {}
    current = ""
    for line in text.splitlines():
        left = _plain(line)
        dotted = {f"{table}.{column}": (table, column) for table in tables for column in tables[table]}
        found, left = _taken(dotted, left)
        for name in found:
            table, column = dotted[name]
            named.setdefault(spelled[table], []).append(tables[table][column])
        for table, rest in _headed(left, tables, current):
            current = table
            held, _ = _taken(tables[table], rest)
            named.setdefault(spelled[table], []).extend(tables[table][name] for name in held)
    return Links.of(schema, named)


def _plain(text: str) -> str:
    """A text in lower case, without what marks or quotes its names."""
    return " ".join(re.sub(r'["`*\[\]{}\']', "", text).lower().split())


def _headed(line: str, tables: dict[str, dict[str, str]], current: str) -> Iterator[tuple[str, str]]:
    """(table, what stands behind it) of each table that a line begins a list of.

    A line that is one column alone goes on with the list of the ``current`` table.
    """
    names = _any(tables)
    if not names:
        return
    head = re.match(rf"{_MARK}({names})(?:{_PARTS}|\W*$)", line)
    if head is None:
        if current and re.sub(r"^\W*(?:\d+\s*[.)]\s*)?", "", line).rstrip(" ,;") in tables[current]:
            yield current, line
        return
    table, rest = head[1], line[head.end() :]
    while more := _next(rest, names, tables[table]):
        yield table, rest[: more.start()]
        table, rest = more[1], rest[more.end() :]
    yield table, rest


def _next(rest: str, names: str, columns: Iterable[str]) -> re.Match[str] | None:
    """Where a line goes on with another table; a column of the one at hand may be called like it."""
    found = re.finditer(rf"(?<![\w.])({names})\s*:", rest)
    return next((match for match in found if match[1] not in columns), None)


def _taken(names: Iterable[str], text: str) -> tuple[list[str], str]:
    """The names that stand in a text, and the text without them."""
    found: list[str] = []
    pattern = _any(names)

    def take(match: re.Match[str]) -> str:
        found.append(match[0])
        return "|"

    return found, re.sub(rf"(?<![\w.])(?:{pattern})(?!\w)", take, text) if pattern else text


def _any(names: Iterable[str]) -> str:
    """An expression for one of the names, the longest that fits."""
    return "|".join(re.escape(name) for name in sorted(names, key=lambda name: (-len(name), name)) if name)
