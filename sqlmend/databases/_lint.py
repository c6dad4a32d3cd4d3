"""Signs in a statement that it does not mean what it says."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from typing import TYPE_CHECKING

from sqlmend.databases._operands import COMPARING, expects_operand, folded_at, string_operands
from sqlmend.databases._tokens import KEYWORDS, Token, significant

if TYPE_CHECKING:
    from sqlmend.databases._schema import Schema

_ROW_IDS = frozenset(("rowid", "oid", "_rowid_"))
_NAMES = frozenset(("word", "double", "quoted"))
_CONSTANTS = frozenset(("string", "number", "blob"))
# Clauses whose names are no columns.
_OTHER_NAMES = frozenset(("from", "join", "into", "update", "table", "with", "values", "using", "set"))
_CLAUSES = _OTHER_NAMES | {"select", "where", "on", "group", "order", "having", "limit"}
# What stands before a column; behind THEN, ELSE or || a string is as likely.
_BEFORE_COLUMN = frozenset(
    """
    select distinct all by where and or not on having when case , ( + - * / %
    """.split()
)
# Functions whose first argument is a string as often as a column.
_TEXT_CALLS = frozenset("date time datetime julianday unixepoch strftime timediff printf format iif".split())


def lint(sql: str, schema: Schema) -> tuple[str, ...]:
    """Diagnostics of any text against a schema, as ``code: text``; never throws.

    ``dqs_literal: naem is not a column``: SQLite reads a double-quoted word that names nothing as a string.
    That is reported where a column is expected: as a selected value, a sort or group key, the first argument
    of a function, or when it is compared with a constant. It is not where the word is compared with
    something else, which is a habit of quoting strings.
    """
    if '"' not in sql:
        return ()
    found = significant(sql)
    known = _known(found, schema)
    unknown = {i for i, token in enumerate(found) if token.kind == "double" and token.name not in known}
    words = (found[i].unquoted for i in _suspects(found, unknown))
    return tuple(dict.fromkeys(f"dqs_literal: {word} is not a column" for word in words))


def _known(found: Sequence[Token], schema: Schema) -> set[str]:
    """Columns of the tables that the text names (of all, if it names none), tables, and names it declares."""
    named = {token.name for token in found if token.kind in _NAMES}
    tables = [table for table in schema.tables if table.name.lower() in named] or schema.tables
    columns = {column.name.lower() for table in tables for column in table.columns}
    return columns | {table.name.lower() for table in schema.tables} | _ROW_IDS | set(_declared(found))


def _declared(found: Sequence[Token]) -> Iterator[str]:
    """Aliases, with or without AS, and names of common tables."""
    for i, token in enumerate(found):
        if token.kind not in (*_NAMES, "string"):
            continue
        before = folded_at(found, i - 1)
        if before in ("as", "with", "recursive") or (before != "." and not expects_operand(found, i)):
            yield token.name


def _suspects(found: Sequence[Token], unknown: Set[int]) -> Iterator[int]:
    """Those of the unknown double-quoted words that stand where a column is expected."""
    strings = set(string_operands(found))
    levels = [("", "")]  # for each open parenthesis: the clause it is in, the function it belongs to
    for i, token in enumerate(found):
        clause, call = levels[-1]
        before = folded_at(found, i - 1)
        if token.folded == "(":
            levels.append((clause, found[i - 1].name if i and _is_function(found[i - 1]) else ""))
        elif token.folded == ")" and len(levels) > 1:
            levels.pop()
        elif token.folded in _CLAUSES:
            levels[-1] = (token.folded, call)
        elif i in unknown and _like_a_name(token) and folded_at(found, i + 1) not in (".", "("):
            if i in strings:
                if _compared_with_constant(found, i, unknown):
                    yield i
            elif (
                before in _BEFORE_COLUMN
                and clause not in _OTHER_NAMES
                and not (call and (before == "," or call in _TEXT_CALLS))
            ):
                yield i


def _is_function(token: Token) -> bool:
    return token.kind in _NAMES and (token.folded not in KEYWORDS or token.folded == "replace")


def _like_a_name(token: Token) -> bool:
    """Whether a word could be the name of a column: ``"%Y"``, ``"2020"`` and an unclosed quote are not."""
    return token.text[1:2].isidentifier() and token.text.endswith('"')


def _compared_with_constant(found: Sequence[Token], i: int, unknown: Set[int]) -> bool:
    """Whether a comparison follows whose other side is a constant as well."""
    if folded_at(found, i + 1) not in COMPARING | {"not"}:
        return False
    other = i + 2
    while folded_at(found, other) in COMPARING | {"(", "-", "+"}:
        other += 1
    return other < len(found) and (found[other].kind in _CONSTANTS or other in unknown)
