"""A query as a parser reads it, with its columns resolved against the schema.

This reading is for findings alone; what runs is the text as it is written.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlmend.databases import Schema, Table, is_query

if TYPE_CHECKING:
    from sqlglot import exp

_MOST_CHARACTERS = 20_000
_ORDINAL_DIGITS = 6


class Ref(NamedTuple):
    """A column of a table, as a use of that table in a block."""

    source: Source
    column: str

    @property
    def table(self) -> str:
        """The table's name, ``""`` for a derived one."""
        return self.source.table.name if self.source.table else ""

    @property
    def anchor(self) -> tuple[str, str]:
        """(table, column)."""
        return self.table, self.column


@dataclass(eq=False)
class Source:
    """A table, or a subquery, in the FROM of a block.

    Attributes:
        alias: What the block calls it, in lower case.
        table: The table of the schema; None for a subquery, a CTE or an unknown table.
        derived: The subquery's expression, None for a table.
        name: Its name in normalised text: the table's, numbered where the block uses it again.
        join: ``""``, ``INNER``, ``LEFT`` and so on.
    """

    alias: str
    table: Table | None
    derived: exp.Expression | None = None
    name: str = ""
    join: str = ""


@dataclass(eq=False)
class Block:
    """One SELECT and what it reads from."""

    select: exp.Select
    parent: Block | None
    sources: list[Source] = field(default_factory=list)


class Query:
    """A parsed statement.

    Args:
        sql: The statement.
        tree: Its expression.
        schema: What its names are resolved with.
    """

    def __init__(self, sql: str, tree: Any, schema: Schema) -> None:
        self.sql = sql
        self.tree = tree
        self._tables = {table.name.lower(): table for table in schema.tables}
        self._blocks: dict[int, Block] = {}
        self._ctes: dict[str, exp.Expression] = {}
        self._read()

    @classmethod
    def parse(cls, sql: str, schema: Schema) -> Query | None:
        """The statement, None where it is no query or too long to be read."""
        from sqlglot import errors, exp, parse_one

        # What is no query is not read: of an EXPLAIN, sqlglot says on stderr that it does not know it.
        if len(sql) > _MOST_CHARACTERS or not is_query(sql):
            return None
        try:
            tree: Any = parse_one(sql, dialect="sqlite")
            if not isinstance(tree, exp.Query):
                return None
            return cls(sql, tree, schema)
        except (errors.SqlglotError, RecursionError, ValueError):
            return None

    @property
    def blocks(self) -> list[Block]:
        """All SELECTs, outer ones first."""
        return list(self._blocks.values())

    @cached_property
    def top(self) -> Block | None:
        """The SELECT whose rows are the result; the first of a UNION."""
        from sqlglot import exp

        first = (
            next(self.tree.find_all(exp.Select), None) if not isinstance(self.tree, exp.Select) else self.tree
        )
        return self._blocks.get(id(first))

    @cached_property
    def tables(self) -> list[Table]:
        """The tables that it reads, each once."""
        found = {s.table.name: s.table for b in self.blocks for s in b.sources if s.table is not None}
        return list(found.values())

    def block_of(self, node: Any) -> Block | None:
        """The innermost SELECT around a node."""
        from sqlglot import exp

        select = node if isinstance(node, exp.Select) else node.find_ancestor(exp.Select)
        return self._blocks.get(id(select)) if select is not None else None

    def columns(self, node: Any) -> Iterator[tuple[exp.Column, Ref]]:
        """The columns below a node that belong to a source."""
        from sqlglot import exp

        for column in node.find_all(exp.Column):
            if (ref := self.resolve(column)) is not None:
                yield column, ref

    def anchors(self, *nodes: Any) -> tuple[tuple[str, str], ...]:
        """(table, column) of the columns below nodes, each once; computed ones have none."""
        bases = (self.base(ref) for node in nodes for _, ref in self.columns(node))
        return tuple(dict.fromkeys(base.anchor for base in bases if base is not None))

    def resolve(self, column: exp.Column) -> Ref | None:
        """Where a column comes from: the nearest block that has it; None where nothing has it."""
        block = self.block_of(column)
        qualifier, name = column.table.lower(), column.name.lower()
        while block is not None:
            for source in block.sources:
                if qualifier in ("", source.alias) and (found := self._in(source, name)) is not None:
                    return found
            block = block.parent
        return None

    def alias(self, column: exp.Column) -> exp.Expression | None:
        """The selected expression that a bare name stands for, as in ``GROUP BY month``."""
        block = self.block_of(column)
        if block is None or column.table:
            return None
        for item in block.select.expressions:
            if item.alias and item.alias.lower() == column.name.lower():
                return None if column.find_ancestor(type(item)) is item else item.unalias()
        return None

    def base(self, ref: Ref) -> Ref | None:
        """The table's column behind a reference, through subqueries that pass it on; None if computed."""
        from sqlglot import exp

        for _ in range(10):
            if ref.source.table is not None:
                return ref
            item = self.selected(ref)
            if not isinstance(item, exp.Column) or (below := self.resolve(item)) is None:
                return None
            ref = below
        return None

    def selected(self, ref: Ref) -> exp.Expression | None:
        """The expression behind a column of a derived table."""
        found: exp.Expression | None = self._selected(ref.source, ref.column)
        return found

    def _in(self, source: Source, name: str) -> Ref | None:
        if source.table is not None:
            column = next((c.name for c in source.table.columns if c.name.lower() == name), None)
            return Ref(source, column) if column is not None else None
        return Ref(source, name) if self._selected(source, name) is not None else None

    def _selected(self, source: Source, name: str) -> Any:
        """The expression that a derived table gives under a name."""
        from sqlglot import exp

        derived: Any = source.derived
        while isinstance(derived, exp.SetOperation):
            derived = derived.this
        if isinstance(derived, exp.Subquery):
            derived = derived.unnest()
        if not isinstance(derived, exp.Select):
            return None
        for item in derived.expressions:
            if item.alias_or_name.lower() == name:
                return item.unalias()
        return None

    def _read(self) -> None:
        from sqlglot import exp

        for cte in self.tree.find_all(exp.CTE):
            self._ctes[cte.alias.lower()] = cte.this
        for select in self.tree.find_all(exp.Select, bfs=True):
            above = select.find_ancestor(exp.Select)
            block = Block(select, self._blocks.get(id(above)) if above is not None else None)
            self._blocks[id(select)] = block
            start = select.args.get("from_")
            if start is not None:
                self._add(block, start.this, "")
            for join in select.args.get("joins") or ():
                self._add(block, join.this, join.side or join.kind or "INNER")

    def _add(self, block: Block, item: Any, join: str) -> None:
        from sqlglot import exp

        table = None
        derived: Any = None
        if isinstance(item, exp.Table):
            derived = self._ctes.get(item.name.lower()) if not item.db else None
            table = self._tables.get(item.name.lower()) if derived is None else None
        elif isinstance(item, exp.Subquery):
            derived = item.unnest()
        used = sum(1 for source in block.sources if source.table is table and table is not None)
        name = (table.name if table else item.alias_or_name) + (f"#{used + 1}" if used else "")
        block.sources.append(Source(item.alias_or_name.lower(), table, derived, name, join.upper()))
        for nested in item.args.get("joins") or ():
            self._add(block, nested.this, nested.side or nested.kind or "INNER")


def parts_of(condition: Any) -> Iterator[Any]:
    """The conditions that AND joins, without parentheses."""
    from sqlglot import exp

    whole = condition.unnest()
    for part in whole.flatten() if isinstance(whole, exp.And) else [whole]:
        yield part.unnest()


def is_column_pair(part: Any) -> bool:
    """Whether a condition says that two columns are equal."""
    from sqlglot import exp

    return (
        isinstance(part, exp.EQ)
        and isinstance(part.this, exp.Column)
        and isinstance(part.expression, exp.Column)
    )


def ordinal(node: Any, number: int) -> int | None:
    """The place, from 0, of the one of ``number`` selected expressions that a key is the ordinal of.

    None for any other key: SQLite takes ``2`` for an ordinal, and neither ``1.5`` nor ``1e2``.
    """
    from sqlglot import exp

    if not isinstance(node, exp.Literal) or node.is_string or not node.this.isdecimal():
        return None
    written = node.this.lstrip("0")
    # Python refuses to read a number of thousands of digits, and no query selects that much.
    place = int(written) if 0 < len(written) < _ORDINAL_DIGITS else 0
    return place - 1 if 0 < place <= number else None
