"""Which divisions of a query are integer divisions in SQLite."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlmend.modules.contradictions._query import Query

_INTEGER = frozenset(
    """
    Count Length EQ NEQ GT GTE LT LTE And Or Not Is In Between Like Boolean RowNumber Rank DenseRank
    """.split()
)
#: Classes that are integers where the named parts of theirs are.
_AS_ITS_PARTS = {
    **dict.fromkeys(("Add", "Sub", "Mul", "Div", "Mod"), ("this", "expression")),
    **dict.fromkeys(("Sum", "Max", "Min", "Abs", "Paren", "Neg", "Window"), ("this",)),
    **dict.fromkeys(("Coalesce", "Greatest", "Least"), ("this", "expressions")),
    "Distinct": ("expressions",),
    "Case": ("ifs", "default"),
    "If": ("true", "false"),
}


def integer_divisions(query: Query) -> list[Any]:
    """The divisions that drop a remainder: both sides are certainly integers."""
    from sqlglot import exp

    return [
        node
        for node in query.tree.find_all(exp.Div)
        if is_integer(node.this, query) and is_integer(node.expression, query)
    ]


def is_integer(node: Any, query: Query) -> bool:
    """Whether an expression is certainly an integer; False where it is not known."""
    kind = type(node).__name__
    if kind == "Literal":
        sure = not node.is_string and node.this.isdigit()
    elif kind == "Column":
        sure = _column_is_integer(node, query)
    elif kind == "Cast":
        sure = "INT" in node.args["to"].sql().upper()
    elif kind == "Subquery":
        items = node.unnest().expressions
        sure = len(items) == 1 and is_integer(items[0].unalias(), query)
    elif kind in _AS_ITS_PARTS:
        sure = all(is_integer(part, query) for part in _parts(node, _AS_ITS_PARTS[kind]))
    else:
        sure = kind in _INTEGER
    return sure


def _parts(node: Any, names: Sequence[str]) -> Iterator[Any]:
    """The named parts of a node; NULL takes any type and is none."""
    for name in names:
        part = node.args.get(name)
        for item in part if isinstance(part, list) else [part]:
            if item is not None and type(item).__name__ != "Null":
                yield item.args["true"] if type(node).__name__ == "Case" and name == "ifs" else item


def _column_is_integer(column: Any, query: Query) -> bool:
    ref = query.resolve(column)
    if ref is None:
        named = query.alias(column)
        return named is not None and is_integer(named, query)
    base = query.base(ref)
    if base is None:
        item = query.selected(ref)
        return item is not None and is_integer(item, query)
    columns = base.source.table.columns if base.source.table else ()
    return any(c.name == base.column and "INT" in c.type.upper() for c in columns)
