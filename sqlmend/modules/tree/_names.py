"""Names of tables and columns in the words of a path, resolved to those of the schema."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from sqlmend.databases import Schema, Token, tokens
from sqlmend.databases._tokens import KEYWORDS, significant

_NAMES = frozenset(("word", "double", "quoted"))
_BEFORE_TABLE = frozenset(("from", "join"))


class Names:
    """What the names of one path mean.

    Without a schema a name is its own meaning, in lower case.

    Args:
        schema: The database's schema, None where it is not known.
        tables: The path's own list of tables.
        sql: The path's query, for its aliases.
    """

    def __init__(self, schema: Schema | None, tables: Iterable[str], sql: str) -> None:
        listed = schema.tables if schema else ()
        self._tables = {table.name.lower(): table.name for table in listed}
        self._columns = {
            table.name.lower(): {column.name.lower(): column.name for column in table.columns}
            for table in listed
        }
        self._aliases: dict[str, str] = {}
        self._times: dict[str, int] = {}
        for name, alias in _aliases(sql):
            self._times[name] = self._times.get(name, 0) + 1
            if alias:
                self._aliases[alias] = name
        self.listed = tuple(sorted({self.table(text) for text in tables} - {""}))

    def table(self, text: str) -> str:
        """The table that a text names, without quotes, schema name and alias."""
        parts = name_parts(text)
        name = parts[-1].lower() if parts else ""
        if name not in self._tables:
            words = text.split()
            if (
                len(words) > 1
                and name_parts(words[0])[-1:]
                and name_parts(words[0])[-1].lower() in self._tables
            ):
                # `orders o` or `orders AS o`
                name = name_parts(words[0])[-1].lower()
                self._aliases.setdefault(words[-1].lower(), name)
        return self._tables.get(name) or self._tables.get(self._aliases.get(name, ""), name)

    def column(self, text: str) -> str:
        """``table.column`` where the column's table is certain, else the name as it is."""
        parts = name_parts(text)
        if not parts:
            return ""
        if len(parts) > 1:
            return f"{self._qualifier(parts[-2])}.{self._spelled(parts[-2], parts[-1])}"
        return self.bare(parts[0])

    def bare(self, name: str) -> str:
        """A column without its table: with it, where exactly one of the path's tables has it."""
        owners = [table for table in self.listed if name.lower() in self._columns.get(table.lower(), ())]
        if len(owners) == 1:
            return f"{owners[0]}.{self._columns[owners[0].lower()][name.lower()]}"
        return name.lower()

    def certain(self, qualifier: str) -> bool:
        """Whether a qualifier names a table that the query uses once: else it tells two uses apart."""
        name = self._aliases.get(qualifier.lower(), qualifier.lower())
        return self._times.get(name, 1) == 1

    def is_column(self, name: str) -> bool:
        """Whether any table of the path has that column."""
        return any(name.lower() in self._columns.get(table.lower(), ()) for table in self.listed)

    def _qualifier(self, text: str) -> str:
        name = self._aliases.get(text.lower(), text.lower())
        return self._tables.get(name, name)

    def _spelled(self, qualifier: str, column: str) -> str:
        name = self._aliases.get(qualifier.lower(), qualifier.lower())
        return self._columns.get(name, {}).get(column.lower(), column.lower())


def name_parts(text: str) -> list[str]:
    """The parts of a dotted name, without quotes; a part may hold spaces."""
    parts: list[list[Token]] = [[]]
    for token in tokens(text.strip()):
        if token.folded == ".":
            parts.append([])
        else:
            parts[-1].append(token)
    joined = ("".join(token.unquoted for token in part).strip() for part in parts)
    return [part for part in joined if part]


def _aliases(sql: str) -> Iterator[tuple[str, str]]:
    """(table, alias or ``""``) of every table behind FROM, JOIN and the commas of a FROM, in lower case."""
    found = significant(sql)
    in_from = [False]
    for i, token in enumerate(found):
        word = token.folded
        if word == "(":
            in_from.append(False)
        elif word == ")" and len(in_from) > 1:
            in_from.pop()
        elif word in _BEFORE_TABLE:
            in_from[-1] = True
        elif word in ("where", "group", "order", "having", "limit", "on", "select", "union"):
            in_from[-1] = word == "on" and in_from[-1]
        if (word in _BEFORE_TABLE or (word == "," and in_from[-1])) and i + 1 < len(found):
            yield from _aliased(found, i + 1)


def _aliased(found: Sequence[Token], i: int) -> Iterator[tuple[str, str]]:
    if found[i].kind not in _NAMES:
        return
    name = found[i].name
    following = i + 1
    if following < len(found) and found[following].folded == "as":
        following += 1
    alias = ""
    if following < len(found) and found[following].kind in _NAMES:
        alias = "" if found[following].folded in KEYWORDS else found[following].name
    yield name, alias
