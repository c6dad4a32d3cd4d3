"""What the text of a correction names and compares: it is prose with SQL in it."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sqlmend.databases import Schema
from sqlmend.databases._tokens import KEYWORDS
from sqlmend.modules.rules._anchors import Anchor

_NAME = r"""(?:"[^"]+"|`[^`]+`|\[[^\]]+\]|[A-Za-z_]\w*)"""
_CONSTANT = r"""(?:'(?:[^']|'')*'|"[^"]*"|-?\d+(?:\.\d+)?(?![\w.]))"""
_COMPARED = re.compile(
    rf"""(?P<column>{_NAME}(?:\.{_NAME}){{0,2}})\s*
    (?P<operator><>|!=|==|<=|>=|=|<|>|\bnot\s+like\b|\blike\b|\bnot\s+in\b|\bin\b|\bbetween\b|\bis\s+not\b|\bis\b
    |\bequals\b|\bequal\s+to\b)\s*
    (?P<constants>\(?\s*{_CONSTANT}(?:\s*(?:,|\band\b|\bor\b)\s*{_CONSTANT})*)""",
    re.IGNORECASE | re.VERBOSE,
)
_DOTTED = re.compile(rf"(?<![\w.])({_NAME})\.({_NAME})(?![\w.])")
_SNAKE = re.compile(r"(?<![\w.\"`])(?!as\b)[A-Za-z][A-Za-z0-9]*(?:_[A-Za-z0-9]+)+(?![\w.(])")
_SAME = {"==": "=", "!=": "<>", "is": "=", "is not": "<>", "equals": "=", "equal to": "="}
_ALIAS = 3
#: Models write keywords in capitals, people begin sentences with one; dots and brackets stand for more.
_QUERY = re.compile(r"(?:SELECT|WITH)\s.*\bFROM\b", re.DOTALL)
#: What begins the words after a query, in lower case: no keyword of a query in capitals.
_REASON = re.compile(
    r"[`\s,;:(-]+(?:(?<=, )not|instead of|rather than|because|so that|since|when|if|which)\b"
)
_FORM = re.compile(r"\.\.\.|…|<\w+(?: \w+)*>|\{\w+\}|\[\w+\]")


class Compared(NamedTuple):
    """A column that a text compares with a constant."""

    anchor: Anchor
    operator: str
    value: str
    in_text: bool


def compared(text: str, schema: Schema, anchors: Sequence[Anchor]) -> Iterator[Compared]:
    """The comparisons of anchored columns with constants; those around a function's value are none."""
    for match in _COMPARED.finditer(_with_quotes(text, schema)):
        before = text[: match.start()].rstrip()
        column = _unquoted(match["column"]).lower()
        anchor = _of(column, match["column"], schema, anchors)
        if anchor is None or before.endswith("."):
            continue
        operator = " ".join(match["operator"].lower().split())
        operator = _SAME.get(operator, operator).removeprefix("not ").upper()
        for constant in re.findall(_CONSTANT, match["constants"]):
            in_text = constant[0] in "'\""
            value = constant[1:-1].replace("''", "'") if in_text else constant
            yield Compared(anchor, operator, value, in_text)


def constants_by_column(text: str) -> dict[str, set[str]]:
    """The constants that a text compares columns with, as they are written, by the column's name."""
    found: dict[str, set[str]] = {}
    for match in _COMPARED.finditer(text):
        column = _unquoted(re.findall(_NAME, match["column"])[-1]).lower()
        found.setdefault(column, set()).update(re.findall(_CONSTANT, match["constants"]))
    return found


def unknown_names(text: str, schema: Schema) -> Iterator[str]:
    """Names in a text that look like a table's or column's and are none."""
    plain = re.sub(r"'(?:[^']|'')*'", "''", _with_quotes(text, schema))
    tables = {table.name.lower(): {c.name.lower() for c in table.columns} for table in schema.tables}
    columns = set().union(*tables.values()) if tables else set()
    for left, right in _DOTTED.findall(plain):
        table, column = _unquoted(left).lower(), _unquoted(right).lower()
        if table in tables:
            if column not in tables[table]:
                yield f"{table}.{column}"
        elif len(table) > _ALIAS and ("_" in table or column in columns or "_" in column):
            yield f"{table}.{column}"
    declared = {name.lower() for name in re.findall(r"\bas\s+(\w+)", plain, re.IGNORECASE)}
    for word in _SNAKE.findall(plain):
        if word.lower() not in columns | set(tables) | declared | KEYWORDS:
            yield word


def _of(column: str, written: str, schema: Schema, anchors: Sequence[Anchor]) -> Anchor | None:
    """The anchored column that is meant: anchored itself, or a column of an anchored table."""
    found = re.findall(_NAME, written)
    qualifier = _unquoted(found[-2]).lower() if len(found) > 1 else ""
    known = {table.name.lower(): table for table in schema.tables}
    name = _unquoted(found[-1]).lower()
    for table_name, anchored_column in anchors:
        table = known[table_name.lower()]
        if qualifier in known and qualifier != table_name.lower():
            continue
        if anchored_column and anchored_column.lower() != name:
            continue
        spelled = next((c.name for c in table.columns if c.name.lower() == name), None)
        if spelled is not None:
            return table.name, spelled
    return None


def whole_query(correction: str) -> str:
    """The query that a correction begins with and that only a reason may follow, ``""`` where there is none.

    What is prose with SQL in it, or a form of a query, is none.
    """
    text = _REASON.split(correction.strip("` \n"), maxsplit=1)[0]
    return text if _QUERY.match(text) and not _FORM.search(text) else ""


def _with_quotes(text: str, schema: Schema) -> str:
    """Names that hold spaces or signs, in quotes wherever they stand without."""
    names = {c.name for table in schema.tables for c in table.columns} | {t.name for t in schema.tables}
    for name in sorted(names, key=len, reverse=True):
        if not re.fullmatch(r"\w+", name):
            text = re.sub(rf'(?<!["`\[\w]){re.escape(name)}(?!["`\]\w])', f'"{name}"', text)
    return text


def _unquoted(name: str) -> str:
    return name[1:-1] if name[0] in '"`[' else name
