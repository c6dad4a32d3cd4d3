"""Which tables and columns of a schema a question is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlmend.databases._schema import Schema


@dataclass(frozen=True)
class Links:
    """Tables and columns that a question is linked to.

    Attributes:
        columns: Pairs of table and column, in lower case; a table without a linked column is in none.
        tables: Tables in lower case, those of ``columns`` included.
    """

    columns: frozenset[tuple[str, str]] = frozenset()
    tables: frozenset[str] = frozenset()

    def __post_init__(self) -> None:
        object.__setattr__(self, "tables", self.tables | {table for table, _ in self.columns})

    @classmethod
    def of(cls, schema: Schema, named: Mapping[str, Iterable[str]]) -> Links:
        """The links that name something of the schema; what is not there is left out.

        Args:
            schema: The schema.
            named: Columns by table, in any case.
        """
        known = {table.name.lower(): {c.name.lower() for c in table.columns} for table in schema.tables}
        folded = {table.lower(): {column.lower() for column in columns} for table, columns in named.items()}
        return cls(
            frozenset(
                (table, c) for table, columns in folded.items() for c in columns & known.get(table, set())
            ),
            frozenset(folded.keys() & known.keys()),
        )

    def __bool__(self) -> bool:
        return bool(self.tables)

    def __or__(self, other: Links) -> Links:
        return Links(self.columns | other.columns, self.tables | other.tables)

    def widened(self, schema: Schema) -> Links:
        """The links with all columns of their tables."""
        return self | Links.of(
            schema,
            {t.name: [c.name for c in t.columns] for t in schema.tables if t.name.lower() in self.tables},
        )

    def joined(self, schema: Schema) -> Links:
        """The links with the tables through which keys lead from one linked table to the others.

        A table that only joins is seldom named by a question. Of the ways between two tables a shortest
        one is taken, of equal ones the first by name; tables that no key connects stay apart.
        """
        near = _neighbours(schema)
        tables = {table for table in self.tables if table in near}
        for start in sorted(tables):
            reached = _reached(near, start, tables)
            while path := _shortest(near, reached, tables - reached):
                tables |= path
                reached = _reached(near, start, tables)
        return self | Links(tables=frozenset(tables))

    @cached_property
    def by_table(self) -> Mapping[str, frozenset[str]]:
        """Linked columns by table, tables without any included."""
        return {
            t: frozenset(column for table, column in self.columns if table == t) for t in sorted(self.tables)
        }


def _neighbours(schema: Schema) -> dict[str, set[str]]:
    """The tables that a key of one of the two connects, by table, in lower case."""
    near: dict[str, set[str]] = {table.name.lower(): set() for table in schema.tables}
    for table in schema.tables:
        for key in table.foreign_keys:
            if key.table.lower() in near:
                near[table.name.lower()].add(key.table.lower())
                near[key.table.lower()].add(table.name.lower())
    return near


def _reached(near: Mapping[str, set[str]], start: str, among: set[str]) -> set[str]:
    """The tables that keys connect with ``start`` through tables of ``among`` alone."""
    reached, ahead = {start}, [start]
    while ahead:
        found = (near[ahead.pop()] & among) - reached
        reached |= found
        ahead += found
    return reached


def _shortest(near: Mapping[str, set[str]], sources: set[str], goals: set[str]) -> set[str]:
    """The tables of a shortest path from ``sources`` to one of ``goals``, empty where there is none."""
    came_from: dict[str, str | None] = dict.fromkeys(sorted(sources))
    ahead = list(came_from)
    for table in ahead:
        if table in goals:
            path = {table}
            while (before := came_from[table]) is not None:
                path.add(table := before)
            return path
        for found in sorted(near[table] - came_from.keys()):
            came_from[found] = table
            ahead.append(found)
    return set()
