"""What names mean: in a row of a collection, and in a group of rows."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlglot import exp

from sqlmend.databases._schema import Table
from sqlmend.databases.document._refusal import UnsupportedTranslation
from sqlmend.databases.document._scan import only
from sqlmend.databases.document._values import Value, compile_value, field
from sqlmend.errors import SqlmendError, near_names

_NUMBER = re.compile(r"INT|REAL|FLOA|DOUB|NUMERIC|DECIMAL", re.IGNORECASE)
_TEXT = re.compile(r"CHAR|CLOB|TEXT", re.IGNORECASE)
_ACCUMULATORS: Mapping[type[exp.Expr], str] = {
    exp.Sum: "$sum",
    exp.Avg: "$avg",
    exp.Min: "$min",
    exp.Max: "$max",
}


class RowScope:
    """Columns of the one collection; aggregates have no place.

    Args:
        table: What the collection holds.
        alias: The name that qualifies its columns.
    """

    def __init__(self, table: Table, alias: str) -> None:
        self.table = table
        self._alias = alias
        self._columns = {column.name.lower(): column for column in table.columns}

    def name(self, node: exp.Column) -> str:
        """The column's name as declared.

        Raises:
            SqlmendError: There is no such column.
        """
        only(node, "this", "table")
        known = self._columns.get(node.name.lower())
        if known is None or (node.table and node.table.lower() != self._alias.lower()):
            near = near_names(node.name, [column.name for column in self.table.columns])
            raise SqlmendError(
                "unknown_column",
                f"unknown field {node.sql()} of collection {self.table.name}",
                hint=f"did you mean {', '.join(near)}?" if near else None,
            )
        return known.name

    def column(self, node: exp.Column) -> Value:
        """The column's field."""
        name = self.name(node)
        if "." in name or name.startswith("$") or not name:
            raise UnsupportedTranslation(["other"], f"the field name {name!r}")
        declared = self._columns[name.lower()].type
        kind = "number" if _NUMBER.search(declared) else "text" if _TEXT.search(declared) else "any"
        return field(name, kind)

    def aggregate(self, node: exp.Expr) -> Value:
        """None may stand here."""
        raise SqlmendError("misuse_of_aggregate", f"misuse of aggregate: {node.sql()}")


class GroupScope:
    """Keys and aggregates of a group; each is a field of the group's document once it is used.

    Args:
        rows: The scope of the rows that are grouped.
        keys: Names of the columns that they are grouped by.

    Attributes:
        fields: Field of the group's document by key column.
        accumulators: What the store accumulates, by field.
        results: What each aggregate comes to, by field, from the accumulators.
        empty: What each aggregate comes to where there are no rows at all.
    """

    def __init__(self, rows: RowScope, keys: list[str]) -> None:
        self._rows = rows
        self.fields = {key: f"k{number}" for number, key in enumerate(dict.fromkeys(keys))}
        self.accumulators: dict[str, Any] = {}
        self.results: dict[str, Any] = {}
        self.empty: dict[str, Any] = {}
        self._known: dict[exp.Expr, Value] = {}

    def column(self, node: exp.Column) -> Value:
        """The key's field."""
        name = self._rows.name(node)
        if name not in self.fields:
            raise UnsupportedTranslation(["bare_column"], name)
        return field(self.fields[name], self._rows.column(node).kind)

    def aggregate(self, node: exp.Expr) -> Value:
        """The aggregate's field."""
        if node not in self._known:
            self._known[node] = self._accumulated(node, f"a{len(self._known)}")
        return self._known[node]

    def _accumulated(self, node: exp.Expr, name: str) -> Value:
        only(node, "this", "big_int")
        self.empty[name] = None
        self.results[name] = f"${name}"
        if isinstance(node, exp.Count):
            self.empty[name] = 0
            everything = node.this is None or isinstance(node.this, exp.Star)
            one = 1 if everything else _counted(compile_value(node.this, self._rows).expression)
            self.accumulators[name] = {"$sum": one}
            return field(name, "number")
        value = compile_value(node.this, self._rows)
        if isinstance(node, (exp.Sum, exp.Avg)) and value.kind == "text":
            raise UnsupportedTranslation(["mixed_types"])
        self.accumulators[name] = {_ACCUMULATORS[type(node)]: value.expression}
        if isinstance(node, exp.Sum):
            # The store's sum of nothing is 0, SQL's is null.
            self.accumulators[f"n_{name}"] = {"$sum": _counted(value.expression)}
            self.results[name] = {"$cond": [{"$eq": [f"$n_{name}", 0]}, None, f"${name}"]}
        return field(name, "number" if isinstance(node, (exp.Sum, exp.Avg)) else value.kind)


def _counted(expression: Any) -> Any:
    """1 for a value, 0 for null and for a missing field."""
    return {"$cond": [{"$gt": [expression, None]}, 1, 0]}
