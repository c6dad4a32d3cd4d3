"""What two statements have in common when only their literals differ."""

from __future__ import annotations

import string
from collections.abc import Sequence
from typing import TYPE_CHECKING

from sqlmend.databases._operands import expects_operand, string_operands
from sqlmend.databases._statements import without_stray
from sqlmend.databases._tokens import Token, significant

if TYPE_CHECKING:
    from sqlmend.databases._schema import Schema

_HOLE = "?"
_ASCII_LOWER = str.maketrans(string.ascii_uppercase, string.ascii_lowercase)
_LITERALS = frozenset(("string", "number", "blob"))


def shape(sql: str, schema: Schema | None = None) -> str:
    """The canonical text of any SQL with its literals holed out as ``?``; never throws.

    A sign belongs to its number, a list of literals behind IN is one hole, an unnamed parameter
    counts as a literal. A double-quoted word does when it is an operand of a comparison, LIKE, IN or BETWEEN,
    is not followed by a dot and, with a schema, names no column. ASCII letters are in lower case, those
    of quoted names too, because their case never tells two names apart; NULL, TRUE and FALSE stay.

    Two statements have one shape only when they are equal after folding literals, case, spacing, comments and
    stray ``;``. ``shape(shape(sql)) == shape(sql)`` for statements without double-quoted strings.
    """
    return shape_of(significant(sql), schema)


def shape_of(tokens: Sequence[Token], schema: Schema | None = None) -> str:
    """The shape of a statement that is read already, by SQLite's rules or by another engine's.

    Another engine may have two kinds of tokens more: names whose case counts (kind ``exact``), which stay as
    they are, and the operators ``[`` and ``]``, between which a list of literals is one hole too.
    """
    columns = {column.name.lower() for table in schema.tables for column in table.columns} if schema else ()
    found = without_stray(tokens)
    strings = {i for i in string_operands(found) if found[i].name not in columns}
    holed: list[str] = []
    for i, token in enumerate(found):
        if token.kind in _LITERALS or token.text == "?" or i in strings:
            if token.kind == "number":
                _drop_signs(holed, found, i)
            holed.append(_HOLE)
        else:
            holed.append(token.text if token.kind == "exact" else _folded(token.text))
            if token.folded in (")", "]"):
                _close_list(holed)
    return " ".join(holed)


def _folded(text: str) -> str:
    """In lower case as a DBMS has it: SQLite takes ``Ö`` and ``ö`` for two letters."""
    return text.lower() if text.isascii() else text.translate(_ASCII_LOWER)


def _drop_signs(holed: list[str], found: Sequence[Token], number: int) -> None:
    """Take back the signs before a number; a ``-`` behind a value is no sign."""
    i = number - 1
    while i >= 0 and found[i].folded in ("-", "+") and expects_operand(found, i):
        holed.pop()
        i -= 1


def _close_list(holed: list[str]) -> None:
    """Make one hole of a list of literals that ends here."""
    start = len(holed) - 2
    while start > 0 and holed[start] == (_HOLE, ",")[(len(holed) - start) % 2]:
        start -= 1
    length = len(holed) - start
    is_list = holed[start] == "[" if holed[-1] == "]" else holed[start - 1 : start + 1] == ["in", "("]
    if is_list and length > 3 and length % 2:
        holed[start:] = [holed[start], _HOLE, holed[-1]]
