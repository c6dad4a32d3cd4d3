"""What a query does, as features that two candidates agree on or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmend.databases import Schema, Table
from sqlmend.modules.contradictions._facts import Facts, quoted
from sqlmend.modules.contradictions._finding import Anchor
from sqlmend.modules.contradictions._integers import integer_divisions
from sqlmend.modules.contradictions._query import Block, Query, Ref, Source, is_column_pair, ordinal, parts_of

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


@dataclass(frozen=True)
class Profile:
    """What one query does.

    Attributes:
        features: Sorted normalised texts by code.
        anchors: What the part of the query behind a text reads, by code and text.
        tables: The tables of the query.
    """

    features: Mapping[str, tuple[str, ...]]
    anchors: Mapping[tuple[str, str], tuple[Anchor, ...]]
    tables: Sequence[Table]

    def __getitem__(self, code: str) -> tuple[str, ...]:
        return self.features[code]


class _Found:
    """The texts of each feature, with what they are about, as they are found."""

    def __init__(self, schema: Schema) -> None:
        self.texts: dict[str, list[str]] = {code: [] for code in FEATURES}
        self.anchors: dict[tuple[str, str], tuple[Anchor, ...]] = {}
        self._columns = {
            (table.name.lower(), column.name.lower()): (table.name, column.name)
            for table in schema.tables
            for column in table.columns
        }

    def add(self, code: str, text: str, anchors: Iterable[Anchor] = ()) -> None:
        self.texts[code].append(text)
        self.anchors[code, text] = tuple(dict.fromkeys((*self.anchors.get((code, text), ()), *anchors)))

    def add_nodes(self, code: str, text: str, *nodes: Any) -> None:
        """Add a text that is about the columns below nodes, as ``_normalise`` has named them."""
        from sqlglot import exp

        columns = [column for node in nodes for column in node.find_all(exp.Column)]
        names = [(column.table.partition("#")[0].lower(), column.name.lower()) for column in columns]
        self.add(code, text, [self._columns[name] for name in names if name in self._columns])


def profile(sql: str, schema: Schema, facts: Facts) -> Profile | None:
    """The features of a query; None where it cannot be read.

    Aliases, the order of operands that have none and the case of names do not count.
    """
    query = Query.parse(sql, schema)
    if query is None:
        return None
    found = _Found(schema)
    for base in _null_lists(query, facts):
        found.add("null_list", f"{base.table}.{base.column}", [base.anchor])
    if divisions := integer_divisions(query):
        found.add("division", "integer", query.anchors(*divisions))
    _normalise(query)
    for node in _set_operations(query):
        found.add_nodes("set_operation", _set_operation(node), *node.selects)
    for block in query.blocks:
        _aggregates(block, found)
        _parts(block, query, found)
    texts = {
        code: tuple(sorted(set(texts) if code == "condition" else texts))
        for code, texts in found.texts.items()
    }
    return Profile(texts, found.anchors, query.tables)


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


def _aggregates(block: Block, found: _Found) -> None:
    from sqlglot import exp

    for node in _own(block, exp.AggFunc):
        argument = node.this
        distinct = isinstance(argument, exp.Distinct)
        found.add_nodes("aggregate", type(node).__name__.upper() + (" DISTINCT" if distinct else ""), node)
        parts = argument.expressions if distinct else [argument]
        for part in parts:
            if part is not None:
                found.add_nodes("argument", text_of(part), part)


def _parts(block: Block, query: Query, found: _Found) -> None:
    select = block.select
    _joins(block, found)
    _conditions(block, found)
    if select.args.get("distinct"):
        found.add_nodes("distinct", "DISTINCT", *select.expressions)
    if (group := select.args.get("group")) is not None:
        for item in group.expressions:
            key = _key(item, select)
            found.add_nodes("group", text_of(key), key)
    if block.parent is None:
        for item in select.expressions:
            found.add_nodes("select", text_of(item.unalias()), item)
    for holder in (select, query.tree) if block is query.top and select is not query.tree else (select,):
        order, limit = holder.args.get("order"), holder.args.get("limit")
        sorting = [] if order is None else [(item, _key(item.this, select)) for item in order.expressions]
        if limit is not None:
            found.add_nodes("limit", text_of(limit.expression), *(key for _, key in sorting))
            for item, key in sorting:
                found.add_nodes("order", text_of(key) + (" DESC" if item.args.get("desc") else ""), key)


def _joins(block: Block, found: _Found) -> None:
    for source in block.sources:
        outer = source.join if source.join in ("LEFT", "RIGHT", "FULL") else ""
        if source.table is not None and len(block.sources) > 1:
            found.add("join", f"{outer} {source.name.lower()}".strip(), [(source.table.name, "")])
    for name, sides in _using(block):
        text = " = ".join(sorted(f"{source.name.lower()}.{name}" for source in sides))
        found.add("join", text, [(s.table.name, c.name) for s in sides if s.table for c in s.table.columns
                                 if c.name.lower() == name])  # fmt: skip


def _conditions(block: Block, found: _Found) -> None:
    from sqlglot import exp

    for part in _conjuncts(block):
        if is_column_pair(part):
            found.add_nodes("join", text_of(part), part)
        elif part.find(exp.Select):
            found.add_nodes("nesting", _nested(part), part)
        else:
            found.add_nodes("condition", text_of(part), part)


def _using(block: Block) -> Iterator[tuple[str, tuple[Source, Source]]]:
    """The columns of USING, in lower case, with the two sources that they are equal in."""
    joins = block.select.args.get("joins") or []
    for i, join in enumerate(joins, 1):
        for name in (identifier.name.lower() for identifier in join.args.get("using") or ()):
            for left in block.sources[:i]:
                if left.table and any(column.name.lower() == name for column in left.table.columns):
                    yield name, (left, block.sources[i])
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


def _key(item: Any, select: Any) -> Any:
    """A key of a grouping or sorting; an ordinal is the selected expression."""
    place = ordinal(item, len(select.expressions))
    return item if place is None else select.expressions[place].unalias()


def _set_operations(query: Query) -> Iterator[Any]:
    from sqlglot import exp

    yield from query.tree.find_all(exp.SetOperation)


def _set_operation(node: Any) -> str:
    kept = "" if node.args.get("distinct") else " ALL"
    return type(node).__name__.upper() + (kept if type(node).__name__ == "Union" else "")


def _null_lists(query: Query, facts: Facts) -> Iterator[Ref]:
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
            yield base
