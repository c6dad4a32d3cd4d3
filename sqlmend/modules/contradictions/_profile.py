"""What a query does, as features that two candidates agree on or not."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from sqlmend.databases import Schema
from sqlmend.modules.contradictions._facts import Facts, quoted
from sqlmend.modules.contradictions._integers import integer_divisions
from sqlmend.modules.contradictions._query import Block, Query, is_column_pair, ordinal, parts_of

# A string, a quoted name, or what is between them.
_PIECE = re.compile(r"""'(?:[^']|'')*'|"(?:[^"]|"")*"|[^'"]+""")

#: Feature by its code, in the order in which a difference is looked for.
FEATURES = {
    "null_list": "NOT IN a list that holds NULL",
    "division": "integer division",
    "set_operation": "set operation",
    "aggregate": "aggregation",
    "argument": "aggregated expression",
    "join": "joins",
    "nesting": "nested query",
    "group": "grouping",
    "condition": "conditions",
    "distinct": "DISTINCT",
    "limit": "LIMIT",
    "order": "sorting",
    "select": "selected columns",
}

Features = Mapping[str, tuple[str, ...]]


def profile(sql: str, schema: Schema, facts: Facts) -> Features | None:
    """The features of a query by code, each a sorted tuple of normalised texts; None where it cannot be read.

    Aliases, the order of operands that have none and the case of names do not count.
    """
    query = Query.parse(sql, schema)
    if query is None:
        return None
    found: dict[str, list[str]] = {code: [] for code in FEATURES}
    found["null_list"] = list(_null_lists(query, facts))
    found["division"] = ["integer"] if integer_divisions(query) else []
    _normalise(query)
    found["set_operation"] = [_set_operation(node) for node in _set_operations(query)]
    for block in query.blocks:
        _aggregates(block, found)
        _parts(block, query, found)
    return {
        code: tuple(sorted(set(texts) if code == "condition" else texts)) for code, texts in found.items()
    }


def _normalise(query: Query) -> None:
    """Give every column its table's name, what stands for a selected expression that expression, and what
    SQLite reads as text the quotes of text.
    """
    from sqlglot import exp

    named: list[tuple[Any, Any]] = []
    for column in list(query.tree.find_all(exp.Column)):
        ref = query.resolve(column)
        if ref is not None:
            base = query.base(ref) or ref
            named.append(
                (column, exp.column(exp.to_identifier(base.column), exp.to_identifier(base.source.name)))
            )
        elif (stands_for := query.alias(column)) is not None:
            named.append((column, stands_for.copy()))
        elif not column.table and column.this.args.get("quoted"):
            named.append((column, exp.Literal.string(column.name)))
    for column, replacement in named:
        if column.parent is not None:
            column.replace(replacement)


def text_of(node: Any) -> str:
    """An expression in one spelling: names in lower case, text as it is, constants behind what they meet."""
    from sqlglot import exp

    if isinstance(node, exp.Paren):
        return text_of(node.this)
    if isinstance(node, exp.EQ | exp.NEQ | exp.Add | exp.Mul):
        both = sorted((isinstance(side, exp.Literal), text_of(side)) for side in (node.this, node.expression))
        sign = {"EQ": "=", "NEQ": "<>", "Add": "+", "Mul": "*"}[type(node).__name__]
        return f" {sign} ".join(side for _, side in both)
    if isinstance(node, exp.Case) and not node.this and len(node.args["ifs"]) == 1:
        branch, default = node.args["ifs"][0], node.args.get("default")
        if branch.args["true"].sql() == "1" and (default is None or default.sql() in ("0", "NULL")):
            return text_of(branch.this)
    if isinstance(node, exp.AggFunc) and node.this is not None:
        return f"{type(node).__name__.upper()}({text_of(node.this)})"
    written = str(node.sql(dialect="sqlite", normalize_functions="upper", comments=False))
    return "".join(
        piece if piece[0] == "'" else piece.strip('"').lower() for piece in _PIECE.findall(written)
    )


def _aggregates(block: Block, found: dict[str, list[str]]) -> None:
    from sqlglot import exp

    for node in _own(block, exp.AggFunc):
        argument = node.this
        distinct = isinstance(argument, exp.Distinct)
        found["aggregate"].append(type(node).__name__.upper() + (" DISTINCT" if distinct else ""))
        parts = argument.expressions if distinct else [argument]
        found["argument"] += [text_of(part) for part in parts if part is not None]


def _parts(block: Block, query: Query, found: dict[str, list[str]]) -> None:
    from sqlglot import exp

    select = block.select
    for source in block.sources:
        outer = source.join if source.join in ("LEFT", "RIGHT", "FULL") else ""
        if source.table is not None and len(block.sources) > 1:
            found["join"].append(f"{outer} {source.name.lower()}".strip())
    found["join"] += _using(block)
    for part in _conjuncts(block):
        if is_column_pair(part):
            found["join"].append(text_of(part))
        elif part.find(exp.Select):
            found["nesting"].append(_nested(part))
        else:
            found["condition"].append(text_of(part))
    if select.args.get("distinct"):
        found["distinct"].append("DISTINCT")
    if (group := select.args.get("group")) is not None:
        found["group"] += [_key(item, select) for item in group.expressions]
    if block.parent is None:
        found["select"] += [text_of(item.unalias()) for item in select.expressions]
    for holder in (select, query.tree) if block is query.top and select is not query.tree else (select,):
        order, limit = holder.args.get("order"), holder.args.get("limit")
        if limit is not None:
            found["limit"].append(text_of(limit.expression))
        if order is not None and limit is not None:
            found["order"] += [
                _key(item.this, select) + (" DESC" if item.args.get("desc") else "")
                for item in order.expressions
            ]


def _using(block: Block) -> Iterator[str]:
    """The equalities that USING stands for."""
    joins = block.select.args.get("joins") or []
    for i, join in enumerate(joins, 1):
        for name in (identifier.name.lower() for identifier in join.args.get("using") or ()):
            for left in block.sources[:i]:
                if left.table and any(column.name.lower() == name for column in left.table.columns):
                    sides = sorted(f"{source.name.lower()}.{name}" for source in (left, block.sources[i]))
                    yield " = ".join(sides)
                    break


def _own(block: Block, kind: Any) -> Iterator[Any]:
    """The nodes of a class in a block, without those of the SELECTs in it."""
    from sqlglot import exp

    for node in block.select.find_all(kind):
        if node.find_ancestor(exp.Select) is block.select:
            yield node


def _conjuncts(block: Block) -> Iterator[Any]:
    select = block.select
    conditions = [held.this for key in ("where", "having") if (held := select.args.get(key)) is not None]
    conditions += [
        join.args["on"] for join in select.args.get("joins") or () if join.args.get("on") is not None
    ]
    for condition in conditions:
        yield from parts_of(condition)


def _nested(part: Any) -> str:
    """The kind of a condition with a nested query: IN, NOT IN, EXISTS, or the operator before a value."""
    from sqlglot import exp

    negated = "NOT " if isinstance(part, exp.Not) else ""
    inner = part.this if negated else part
    kind = type(inner).__name__.upper()
    return f"{negated}{kind}"


def _key(item: Any, select: Any) -> str:
    """A key of a grouping or sorting; an ordinal is the selected expression."""
    place = ordinal(item, len(select.expressions))
    return text_of(item if place is None else select.expressions[place].unalias())


def _set_operations(query: Query) -> Iterator[Any]:
    from sqlglot import exp

    yield from query.tree.find_all(exp.SetOperation)


def _set_operation(node: Any) -> str:
    kept = "" if node.args.get("distinct") else " ALL"
    return type(node).__name__.upper() + (kept if type(node).__name__ == "Union" else "")


def _null_lists(query: Query, facts: Facts) -> Iterator[str]:
    """The columns of NOT IN lists that hold NULL: nothing is outside such a list."""
    from sqlglot import exp

    for node in query.tree.find_all(exp.In):
        nested = node.args.get("query")
        if nested is None or not isinstance(node.parent, exp.Not):
            continue
        inner = nested.unnest()
        items = inner.expressions if isinstance(inner, exp.Select) else []
        if len(items) != 1 or not isinstance(items[0].unalias(), exp.Column) or inner.args.get("where"):
            continue
        ref = query.resolve(items[0].unalias())
        base = query.base(ref) if ref is not None else None
        if base is not None and facts.occurs(base.table, f"{quoted(base.column)} IS NULL"):
            yield f"{base.table}.{base.column}"
