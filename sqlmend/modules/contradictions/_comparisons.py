"""Comparisons of a column with constants, as they stand in a query."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sqlmend.modules.contradictions._query import Query, Ref

#: Classes of sqlglot by the operator that is reported.
_OPERATORS = {
    "EQ": "=",
    "NEQ": "<>",
    "GT": ">",
    "GTE": ">=",
    "LT": "<",
    "LTE": "<=",
    "Like": "LIKE",
    "Glob": "GLOB",
    "Is": "IS",
}
RANGES = frozenset((">", ">=", "<", "<=", "BETWEEN"))


@dataclass(frozen=True)
class Comparison:
    """One column against one constant.

    Attributes:
        ref: The column, of a table.
        wrap: The function around it, ``LOWER``, ``UPPER`` or ``TRIM``; ``""`` for the bare column.
        operator: ``=``, ``<>``, a range, ``LIKE``, ``GLOB`` or ``IN``; BETWEEN is two comparisons.
        value: The constant: text or a number.
        negated: Whether NOT stands before it, or it is ``<>``.
        in_text: Whether the constant is written as text.
    """

    ref: Ref
    wrap: str
    operator: str
    value: str
    negated: bool
    in_text: bool


def comparisons(query: Query) -> Iterator[Comparison]:
    """All comparisons of columns of tables with constants."""
    from sqlglot import exp

    for node in query.tree.walk():
        kind = type(node).__name__
        negated = isinstance(node.parent, exp.Not) or kind == "NEQ"
        pairs: list[tuple[Any, Any]] = []
        operator = _OPERATORS.get(kind, "")
        if operator:
            pairs = [(node.this, node.expression), (node.expression, node.this)]
        elif kind == "Between":
            operator = "BETWEEN"
            pairs = [(node.this, node.args["low"]), (node.this, node.args["high"])]
        elif kind == "In":
            operator = "IN"
            pairs = [(node.this, member) for member in node.expressions]
        for side, other in pairs:
            constant = _constant(other, query)
            column = _column(side, query)
            if constant is not None and column is not None:
                yield Comparison(*column, operator, constant[0], negated, constant[1])


def _constant(node: Any, query: Query) -> tuple[str, bool] | None:
    from sqlglot import exp

    if isinstance(node, exp.Literal):
        return node.this, node.is_string
    if isinstance(node, exp.Neg) and isinstance(node.this, exp.Literal):
        return f"-{node.this.this}", False
    # SQLite reads a double-quoted word that names nothing as text.
    if isinstance(node, exp.Column) and not node.table and node.this.args.get("quoted"):
        known = query.resolve(node) is not None or query.alias(node) is not None
        return None if known else (node.name, True)
    return None


def _column(node: Any, query: Query) -> tuple[Ref, str] | None:
    from sqlglot import exp

    wrap = ""
    if isinstance(node, exp.Lower | exp.Upper | exp.Trim):
        wrap, node = type(node).__name__.upper(), node.this
    if isinstance(node, exp.Collate | exp.Paren):
        node = node.this
    if not isinstance(node, exp.Column) or (ref := query.resolve(node)) is None:
        return None
    base = query.base(ref)
    return (base, wrap) if base is not None else None
