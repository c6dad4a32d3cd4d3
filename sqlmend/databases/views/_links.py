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

    @cached_property
    def by_table(self) -> Mapping[str, frozenset[str]]:
        """Linked columns by table, tables without any included."""
        return {
            t: frozenset(column for table, column in self.columns if table == t) for t in sorted(self.tables)
        }
