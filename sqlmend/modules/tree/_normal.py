"""The nodes of a path, written so that equal meanings are equal texts."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from sqlmend.databases import Schema, Token, canonical
from sqlmend.databases._clauses import clauses
from sqlmend.databases._operands import folded_at, string_operands
from sqlmend.databases._tokens import KEYWORDS, significant
from sqlmend.modules.tree._names import Names
from sqlmend.modules.tree._path import Path

_NOTHING = frozenset(("", "-", "none", "(none)", "n/a", "null", "no", "[]"))
_WORDS = {"average": "AVG", "mean": "AVG", "maximum": "MAX", "minimum": "MIN", "len": "LENGTH"}
_CALL = re.compile(r"([A-Za-z_]\w*)\s*\((.*)\)\s*$", re.DOTALL)
_TYPE = re.compile(r"\bas\s+([A-Za-z]+)\s*\)?\s*$", re.IGNORECASE)
_SAME_OPERATOR = {"==": "=", "!=": "<>"}
_FLIPPED = {"=": "=", "<>": "<>", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
_LITERALS = frozenset(("string", "number", "blob"))
_NAMES = frozenset(("word", "double", "quoted"))

#: A node as it is compared: its kind and its items.
Key = tuple[str, tuple[str, ...]]


def normalise(path: Path, schema: Schema | None = None) -> tuple[Key, ...]:
    """The nodes of a path behind its question, from tables to SQL.

    Tables and columns are spelled as in the schema, columns with their table where that is certain;
    functions are their names, with DISTINCT and the type of a CAST; literals stay as they are written, so
    that ``2`` and ``2.0`` differ. Order, repetition, case, quotes and aliases do not count.
    """
    names = Names(schema, _items(path.tables), path.sql)
    return (
        ("tables", names.listed),
        ("columns", _sorted(names.column(text) for text in _items(path.columns))),
        ("functions", _sorted(map(_function, _items(path.functions)))),
        ("values", _sorted(value for text in _items(path.values) for value in _conditions(text, names))),
        ("sql", (canonical(path.sql),)),
    )


def wording(question: str) -> str:
    """A rephrased question in one line."""
    return " ".join(question.split())


def _items(texts: Iterable[str]) -> list[str]:
    return [text.strip() for text in texts if text.strip().casefold() not in _NOTHING]


def _sorted(texts: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted({text for text in texts if text}))


def _function(text: str) -> str:
    """``count ( distinct x )`` as ``COUNT DISTINCT``, ``CAST(x AS REAL)`` as ``CAST REAL``."""
    call = _CALL.match(text)
    if not call:
        folded = " ".join(text.split())
        return _WORDS.get(folded.lower(), folded.upper())
    name, inside = call[1].lower(), call[2].strip()
    name = _WORDS.get(name, name.upper())
    if name == "CAST" and (kind := _TYPE.search(inside)):
        return f"CAST {kind[1].upper()}"
    return f"{name} DISTINCT" if re.match(r"distinct\b", inside, re.IGNORECASE) else name


def _conditions(text: str, names: Names) -> Iterator[str]:
    """The conditions of a text that AND joins, each in one spelling."""
    for item in clauses(f"SELECT 1 WHERE {text}").get("WHERE", []):
        yield _condition(str(item), names)


def _condition(text: str, names: Names) -> str:
    found = significant(text)
    strings = {i for i in string_operands(found) if not names.is_column(found[i].unquoted)}
    pieces: list[str] = []
    sides: list[list[str]] = [pieces]
    operator = ""
    for i, token in enumerate(found):
        word = _SAME_OPERATOR.get(token.folded, token.folded)
        if word in _FLIPPED and not operator:
            operator = word
            sides.append([])
            pieces = sides[-1]
        elif (piece := _piece(found, i, names, strings)) is not None:
            pieces.append(piece)
    if len(sides) == 2:
        left, right = (_joined(side) for side in sides)
        only = significant(_joined(sides[0]))
        if len(only) == 1 and only[0].kind in _LITERALS:
            left, operator, right = right, _FLIPPED[operator], left
        elif operator in ("=", "<>") and not _holds_literal(sides[1]):
            left, right = sorted((left, right))
        return f"{left} {operator} {right}"
    return _with_sorted_list(_joined(pieces))


def _piece(found: list[Token], i: int, names: Names, strings: set[int]) -> str | None:
    """One token as it is compared; None where an earlier piece holds it."""
    token = found[i]
    piece: str | None
    if i in strings:
        piece = "'" + token.unquoted.replace("'", "''") + "'"
    elif token.folded == "." or folded_at(found, i + 1) == ".":
        piece = None
    elif token.kind not in _NAMES:
        piece = _SAME_OPERATOR.get(token.folded, token.folded) or token.text
    elif folded_at(found, i - 1) == "." and i >= 2 and found[i - 2].kind in _NAMES:
        qualifier = found[i - 2]
        certain = names.certain(qualifier.unquoted)
        dotted = f"{qualifier.text}.{token.text}"
        piece = names.column(dotted) if certain else f"{qualifier.name}.{token.name}"
    elif token.folded in KEYWORDS or folded_at(found, i + 1) == "(":
        piece = token.folded or token.name
    else:
        piece = names.bare(token.unquoted)
    return piece


def _joined(pieces: list[str]) -> str:
    text = " ".join(pieces)
    return (
        text.replace("( ", "(")
        .replace(" )", ")")
        .replace(" (", "(")
        .replace(" ,", ",")
        .replace("in(", "in (")
    )


def _holds_literal(pieces: list[str]) -> bool:
    return any(token.kind in _LITERALS for token in significant(" ".join(pieces)))


def _with_sorted_list(text: str) -> str:
    """The members of an IN list in order, each once."""
    match = re.fullmatch(r"(.* in )\(([^()]*)\)", text, re.DOTALL)
    if not match or match[2].lstrip().startswith(("select ", "with ", "values ")):
        return text
    members: list[str] = [""]
    for token in significant(match[2]):
        if token.folded == ",":
            members.append("")
        else:
            members[-1] = f"{members[-1]} {token.text}".strip()
    return f"{match[1]}({', '.join(sorted(set(members)))})"
