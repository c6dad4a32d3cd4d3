"""From one SELECT over one table to an aggregation pipeline."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from typing import Any

import sqlglot
from sqlglot import exp
from sqlglot.errors import SqlglotError

from sqlmend._text import cap
from sqlmend.databases._schema import Schema, Table
from sqlmend.databases.document._conditions import NEVER, compile_condition
from sqlmend.databases.document._pipeline import Pipeline
from sqlmend.databases.document._refusal import UnsupportedTranslation
from sqlmend.databases.document._scan import AGGREGATES, only, refuse_named
from sqlmend.databases.document._scopes import GroupScope, RowScope
from sqlmend.databases.document._values import Scope, Value, compile_value, whole_number
from sqlmend.errors import SqlmendError, near_names

_FIELD = re.compile(r"[A-Za-z][A-Za-z0-9_]*")

Stage = Mapping[str, Any]


def compile_query(sql: str, schema: Schema) -> Pipeline:
    """Compile one SELECT, read as SQLite's, over one table of ``schema``.

    Translated are WHERE, GROUP BY columns with COUNT, SUM, AVG, MIN and MAX, HAVING, ORDER BY, LIMIT and
    OFFSET; three-valued logic and the order of nulls are SQLite's. A row is a document with a field for each
    column; a missing field is a null.

    Args:
        sql: The query.
        schema: What the collections hold: fields are resolved against it, because a document store
            answers null for a name that it does not know.

    Raises:
        UnsupportedTranslation: It uses something that has no translation here.
        SqlmendError: It is no SQL (``syntax_error``), holds none or several statements (``no_statement``,
            ``multi_statement``), names an ``unknown_table`` or ``unknown_column``, or puts an aggregate where
            none may stand (``misuse_of_aggregate``).
    """
    try:
        return _compiled(_parsed(sql), schema)
    except RecursionError as error:
        raise UnsupportedTranslation(["other"], "nested too deeply") from error


def _parsed(sql: str) -> exp.Select:
    # It warns on the log of what it keeps as text, which is refused here anyway.
    log = logging.getLogger("sqlglot")
    level = log.level
    log.setLevel(logging.ERROR)
    try:
        found = [node for node in sqlglot.parse(sql, read="sqlite") if node is not None]
    except (SqlglotError, ValueError) as error:
        text = re.sub(r"\x1b\[[0-9;]*m", "", str(error)).split("\n", 1)[0]
        raise SqlmendError("syntax_error", f"syntax error: {text}") from error
    finally:
        log.setLevel(level)
    found = [node for node in found if not isinstance(node, exp.Semicolon)]
    if not found:
        raise SqlmendError("no_statement", "there is no statement in the text")
    if len(found) > 1:
        raise SqlmendError("multi_statement", "one statement at a time")
    query = found[0]
    if not isinstance(query, exp.Query):
        raise UnsupportedTranslation(["not_a_query"], query.key)
    refuse_named(query)
    if not isinstance(query, exp.Select):
        raise UnsupportedTranslation(["not_a_query"], query.key)
    return query


def _compiled(query: exp.Select, schema: Schema) -> Pipeline:
    only(query, "expressions", "from_", "where", "group", "having", "order", "limit", "offset")
    rows = _row_scope(query, schema)
    items = _items(query, rows.table)
    grouped = query.args.get("group") or query.args.get("having") or _aggregates(query)
    group = GroupScope(rows, _keys(query, items, rows)) if grouped else None
    scope: Scope = group or rows
    values = [compile_value(node, scope).expression for _, node in items]
    rest = _rest(query, items, scope)
    where = query.args.get("where")
    columns = tuple(name for name, _ in items)
    fields = _fields(columns)
    stages: list[Stage] = [
        *([{"$match": compile_condition(where.this, rows).true}] if where is not None else []),
        *(_grouping(group) if group else []),  # after all that is to be accumulated has been compiled
        *rest,
        {"$project": {"_id": 0, **dict(zip(fields, values, strict=True))}},
    ]
    return Pipeline(rows.table.name, tuple(stages), columns, fields)


def _row_scope(query: exp.Select, schema: Schema) -> RowScope:
    source = query.args.get("from_")
    if source is None:
        raise UnsupportedTranslation(["no_collection"])
    node = source.this
    if not isinstance(node, exp.Table) or not isinstance(node.this, exp.Identifier):
        raise UnsupportedTranslation(["other"], node.key)
    only(node, "this", "alias")
    known = {table.name.lower(): table for table in schema.tables}
    table = known.get(node.name.lower())
    if table is None:
        near = near_names(node.name, [table.name for table in schema.tables])
        hint = f"did you mean {', '.join(near)}?" if near else None
        raise SqlmendError("unknown_table", f"unknown collection {node.name}", hint=hint)
    if table.view:
        raise UnsupportedTranslation(["view"], table.name)
    return RowScope(table, node.alias or table.name)


def _items(query: exp.Select, table: Table) -> list[tuple[str, exp.Expr]]:
    """Name and expression of each selected column, ``*`` spelled out."""
    items: list[tuple[str, exp.Expr]] = []
    for node in query.expressions:
        if node.is_star and not isinstance(node, AGGREGATES):
            only(node, "this", "table")
            owner = node.args.get("table") if isinstance(node, exp.Column) else None
            for column in table.columns:
                name = exp.to_identifier(column.name, quoted=True)
                items.append((column.name, exp.Column(this=name, table=owner)))
        elif isinstance(node, exp.Alias):
            items.append((node.alias, node.this))
        else:
            items.append((node.name if isinstance(node, exp.Column) else node.sql("sqlite"), node))
    return items


def _aggregates(query: exp.Select) -> bool:
    places = [*query.expressions, query.args.get("order")]
    return any(place is not None and place.find(*AGGREGATES) for place in places)


def _keys(query: exp.Select, items: Sequence[tuple[str, exp.Expr]], rows: RowScope) -> list[str]:
    group = query.args.get("group")
    if group is None:
        return []
    only(group, "expressions")
    known = {column.name.lower() for column in rows.table.columns}
    keys = []
    for node in group.expressions:
        # A name in GROUP BY is a column first, in ORDER BY an alias first.
        named = isinstance(node, exp.Column) and not node.table and node.name.lower() in known
        key = node if named else _selected(node, items)
        if not isinstance(key, exp.Column):
            raise UnsupportedTranslation(["group_expression"], node.sql("sqlite"))
        keys.append(rows.name(key))
    return keys


def _selected(node: exp.Expr, items: Sequence[tuple[str, exp.Expr]]) -> exp.Expr:
    """The selected expression that ``node`` stands for by position or alias, else ``node`` itself."""
    if isinstance(node, exp.Literal) and not node.is_string and node.this.isdigit():
        position = whole_number(node.this)
        if position is None or not 1 <= position <= len(items):
            text = f"position {cap(node.this, 20)} of {len(items)} selected columns"
            raise SqlmendError("unknown_column", f"unknown field: {text}")
        return items[position - 1][1]
    if isinstance(node, exp.Column) and not node.table:
        aliases = {name.lower(): item for name, item in reversed(items)}
        return aliases.get(node.name.lower(), node)
    return node


def _grouping(group: GroupScope) -> list[Stage]:
    keys = {name: {"$ifNull": [f"${column}", None]} for column, name in group.fields.items()}
    stages: list[Stage] = [{"$group": {"_id": keys or None, **group.accumulators}}]
    if not keys:
        # SQL answers one row even where no row is left; the store answers none.
        empty = {**dict.fromkeys(group.accumulators, 0), **group.empty}
        first = {"$ifNull": [{"$arrayElemAt": ["$groups", 0]}, {"$literal": empty}]}
        stages = [{"$facet": {"groups": stages}}, {"$replaceRoot": {"newRoot": first}}]
    flat = {name: f"$_id.{name}" for name in keys}
    return [*stages, {"$project": {"_id": 0, **flat, **group.results}}]


def _rest(query: exp.Select, items: Sequence[tuple[str, exp.Expr]], scope: Scope) -> list[Stage]:
    """HAVING, ORDER BY, OFFSET and LIMIT, over rows or groups."""
    stages: list[Stage] = []
    having = query.args.get("having")
    if having is not None:
        stages.append({"$match": compile_condition(having.this, scope).true})
    order = query.args.get("order")
    if order is not None:
        only(order, "expressions")
        stages += _order([_term(node, items, scope) for node in order.expressions])
    for part, stage in (("offset", "$skip"), ("limit", "$limit")):
        node = query.args.get(part)
        if node is not None:
            only(node, "expression")
            count = _count(node.expression)
            stages.append({"$match": NEVER} if part == "limit" and count == 0 else {stage: count})
    return stages


def _term(node: exp.Expr, items: Sequence[tuple[str, exp.Expr]], scope: Scope) -> tuple[Value, int]:
    only(node, "this", "desc", "nulls_first")
    descending = bool(node.args.get("desc"))
    if bool(node.args.get("nulls_first")) == descending:
        raise UnsupportedTranslation(["nulls_order"])
    return compile_value(_selected(node.this, items), scope), -1 if descending else 1


def _order(terms: Sequence[tuple[Value, int]]) -> list[Stage]:
    computed: dict[str, Any] = {}
    keys: dict[str, int] = {}
    for value, direction in terms:
        path = value.path
        if path is None:
            path = f"__order{len(computed)}"
            computed[path] = value.expression
        keys.setdefault(path, direction)
    return [*([{"$set": computed}] if computed else []), {"$sort": keys}]


def _count(node: exp.Expr) -> int:
    number = whole_number(node.this) if isinstance(node, exp.Literal) and not node.is_string else None
    if number is None:
        raise UnsupportedTranslation(["other"], "LIMIT and OFFSET take a whole number, up to 2^63 - 1")
    return number


def _fields(columns: Sequence[str]) -> tuple[str, ...]:
    """A field for each column: its name where that can be a field and is not taken."""
    fields: list[str] = []
    for number, name in enumerate(columns):
        usable = _FIELD.fullmatch(name) and name not in fields
        fields.append(name if usable else f"_{number + 1}")
    return tuple(fields)
