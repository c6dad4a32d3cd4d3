"""What the schema says about a name that the DBMS did not find."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sqlmend.databases._ddl import quote_name
from sqlmend.databases._schema import Schema, Table
from sqlmend.databases._tokens import KEYWORDS, Token, significant
from sqlmend.errors import near_names

_SAYS = re.compile(r"(no such column|no such table|ambiguous column name): (?:(.+)\.)?(.+)\Z", re.DOTALL)
_NAMES = frozenset(("word", "double", "quoted"))
_MOST = 40
#: What stands right before a name of a column or a table.
_BEFORE_NAMES = frozenset(
    """
    , . ( = == <> != < > <= >= + - * / % || select distinct from join where and or on by having between like
    in then when else as into update table
    """.split()
)


def schema_hint(sql: str, error: str | None, schema: Schema) -> str:
    """What the schema says of a statement that SQLite could not read or whose names it did not find.

    It is derived from statement, message and schema alone: names that have to be quoted and are not; the
    tables that have a missing column, else the names nearest to it; the columns of the table that was asked.

    Args:
        sql: The statement that failed.
        error: The DBMS's text.
        schema: The database's schema.

    Returns:
        A few lines, ``""`` where the message is about something else; never throws.
    """
    said = _SAYS.match(error or "")
    if said is None and "syntax error" not in (error or ""):
        return ""
    found = significant(sql)
    lines = [_unquoted(found, schema)]
    if said is not None:
        what, qualifier, name = said.groups()
        sources = _sources(found, schema)
        if what == "no such table":
            lines.append(_missing_table(name, schema))
        elif what == "ambiguous column name":
            lines.append(_ambiguous(name, sources.values()))
        else:
            lines.append(_missing_column(qualifier, name, sources, schema))
    return "\n".join(line for line in lines if line)


def _unquoted(found: Sequence[Token], schema: Schema) -> str:
    """Names of the schema that have to be quoted and stand in the statement without quotes."""
    words = [token.folded for token in found]
    names = (name for table in schema.tables for name in (table.name, *(c.name for c in table.columns)))
    bare = [
        quote_name(name)
        for name in dict.fromkeys(names)
        if quote_name(name) != name and _stands_in(name.lower().split(), words)
    ]
    return f"Write these names in double quotes: {', '.join(bare[:_MOST])}." if bare else ""


def _stands_in(part: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words follow each other, one word by itself where a name may stand.

    ``select`` and ``from`` may be names of the schema, and are in every statement; ORDER and GROUP with their
    BY are no names.
    """
    size = len(part)
    starts = [i for i in range(len(words) - size + 1) if words[i : i + size] == part]
    if size == 1:
        # A bracket opens a query more often than it does a name.
        before = _BEFORE_NAMES - {"("} if part == ["select"] else _BEFORE_NAMES
        starts = [i for i in starts if i and words[i - 1] in before]
    return any(words[i + size : i + size + 1] != ["by"] for i in starts)


def _missing_table(name: str, schema: Schema) -> str:
    names = [table.name for table in schema.tables]
    if near := _near(name, names):
        return f"There is no table {name}; the nearest names are {_listed(near)}."
    return f"There is no table {name}; the tables are {_listed(names)}."


def _ambiguous(name: str, tables: Iterable[Table]) -> str:
    owners = [f"{quote_name(table.name)}.{quote_name(name)}" for table in _owners(name, tables)]
    return f"Several tables have a column {name}: write one of {', '.join(owners)}." if owners else ""


def _missing_column(qualifier: str | None, name: str, sources: dict[str, Table], schema: Schema) -> str:
    asked = sources.get(_fold(qualifier.rpartition(".")[2])) if qualifier else None
    lines = []
    if owners := _owners(name, schema.tables):
        lines.append(f"{name} is a column of {_listed(table.name for table in owners)}.")
    else:
        columns = {
            f"{quote_name(table.name)}.{quote_name(column.name)}": column.name
            for table in (sources.values() if sources else schema.tables)
            for column in table.columns
        }
        near = _near(name, columns.values())
        full = [shown for word in near for shown, column in columns.items() if column == word]
        if full:
            lines.append(f"No table has a column {name}; the nearest names are {', '.join(full[:3])}.")
    for table in [asked] if asked else list(dict.fromkeys(sources.values()))[:2]:
        lines.append(f"{quote_name(table.name)} has the columns {_listed(c.name for c in table.columns)}.")
    return "\n".join(lines)


def _owners(name: str, tables: Iterable[Table]) -> list[Table]:
    found = (table for table in tables if any(_fold(c.name) == _fold(name) for c in table.columns))
    return list(dict.fromkeys(found))


def _sources(found: Sequence[Token], schema: Schema) -> dict[str, Table]:
    """The tables that a statement names, by their folded names and aliases, in order."""
    tables = {_fold(table.name): table for table in schema.tables}
    sources: dict[str, Table] = {}
    for i, token in enumerate(found):
        table = tables.get(_fold(token.unquoted)) if token.kind in _NAMES else None
        if table is None or i == 0 or found[i - 1].folded not in ("from", "join", ","):
            continue
        sources[_fold(table.name)] = table
        after = i + 2 if i + 1 < len(found) and found[i + 1].folded == "as" else i + 1
        if after < len(found) and found[after].kind in _NAMES and found[after].folded not in KEYWORDS:
            sources[_fold(found[after].unquoted)] = table
    return sources


def _near(name: str, known: Iterable[str]) -> list[str]:
    """Names that are the same but for case, space and underscores, or else look alike."""
    names = list(dict.fromkeys(known))
    same = [other for other in names if _squeeze(other) == _squeeze(name)]
    if same:
        return same
    folded = {_fold(other): other for other in names}
    return [folded[near] for near in near_names(_fold(name), folded)]


def _listed(names: Iterable[str]) -> str:
    shown = [quote_name(name) for name in names]
    return ", ".join(shown[:_MOST]) + (f" and {len(shown) - _MOST} more" if len(shown) > _MOST else "")


def _fold(name: str) -> str:
    return name.strip().strip('"`[]').lower()


def _squeeze(name: str) -> str:
    return re.sub(r"[\W_]", "", name.lower())
