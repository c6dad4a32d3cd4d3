"""Finds what is refused for being there, and keeps every other node to the parts that are translated."""

from __future__ import annotations

from collections.abc import Iterator

from sqlglot import exp

from sqlmend.databases.document._refusal import UnsupportedTranslation

#: Functions that are translated: aggregates of one argument.
AGGREGATES = (exp.Count, exp.Sum, exp.Avg, exp.Min, exp.Max)

# First match wins: many of these are functions to sqlglot.
_NAMED: tuple[tuple[tuple[type[exp.Expr], ...], str], ...] = (
    ((exp.SetOperation,), "set_operation"),
    ((exp.With,), "cte"),
    ((exp.Join, exp.Lateral), "join"),
    ((exp.Subquery, exp.Exists), "subquery"),
    ((exp.Window,), "window"),
    ((exp.Filter,), "filtered_aggregate"),
    ((exp.Case, exp.If), "case"),
    ((exp.Cast, exp.TryCast), "cast"),
    ((exp.Div, exp.IntDiv, exp.Mod), "division"),
    ((exp.DPipe, exp.Concat), "concatenation"),
    ((exp.Collate,), "collation"),
    ((exp.Escape, exp.Glob, exp.ILike, exp.RegexpLike, exp.SimilarTo, exp.Match), "pattern"),
    ((exp.Placeholder, exp.Parameter), "parameter"),
)


def refuse_named(query: exp.Expr) -> None:
    """Refuse what can be seen before anything is resolved; all constructs that are there are named at once.

    Raises:
        UnsupportedTranslation: Something is.
    """
    found = set(_found(query))
    if found:
        raise UnsupportedTranslation(found)


def _found(query: exp.Expr) -> Iterator[str]:
    for node in query.walk():
        name = next((name for kinds, name in _NAMED if isinstance(node, kinds)), None)
        if name is not None:
            yield name
        elif isinstance(node, exp.Select) and node is not query:
            if not isinstance(node.parent, (exp.SetOperation, exp.CTE)):
                yield "subquery"
        elif isinstance(node, exp.Distinct):
            yield "distinct" if isinstance(node.parent, exp.Select) else "distinct_aggregate"
        elif isinstance(node, AGGREGATES):
            if node.expressions:  # more than one argument
                yield "function"
        elif isinstance(node, exp.Func) and not isinstance(node, exp.Connector):
            yield "function"


def only(node: exp.Expr, *parts: str) -> None:
    """Keep ``node`` to the named parts: what the parser found besides them must not get lost.

    Raises:
        UnsupportedTranslation: It has another one.
    """
    for part, value in node.args.items():
        if value and part not in parts:
            raise UnsupportedTranslation(["other"], f"{part.strip('_')} of {node.key}")
