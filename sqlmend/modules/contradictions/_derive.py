"""The steps of a path, read off its query."""

from __future__ import annotations

from typing import Any

from sqlmend.databases import Schema
from sqlmend.modules.contradictions._query import Query, is_column_pair, parts_of
from sqlmend.modules.tree import Path


def derive(sql: str, schema: Schema) -> Path:
    """The path that a query implies: its tables, columns, functions and conditions with constants."""
    from sqlglot import exp

    query = Query.parse(sql, schema)
    if query is None:
        return Path(sql=sql)
    columns: dict[str, None] = {}
    for _, ref in query.columns(query.tree):
        base = query.base(ref)
        if base is not None:
            columns[f"{base.table}.{base.column}"] = None
    functions: dict[str, None] = {}
    for node in query.tree.find_all(exp.Func):
        if not isinstance(node, exp.And | exp.Or):
            functions[_called(node)] = None
    for block in query.blocks:
        for word, key in (
            ("GROUP BY", "group"),
            ("ORDER BY", "order"),
            ("DISTINCT", "distinct"),
            ("LIMIT", "limit"),
        ):
            if block.select.args.get(key) is not None:
                functions[word] = None
    values = [
        part.sql(dialect="sqlite")
        for block in query.blocks
        for key in ("where", "having")
        if (held := block.select.args.get(key)) is not None
        for part in parts_of(held.this)
        if not is_column_pair(part) and part.find(exp.Select) is None
    ]
    return Path(
        tables=tuple(table.name for table in query.tables),
        columns=tuple(columns),
        functions=tuple(functions),
        values=tuple(values),
        sql=sql,
    )


def _called(node: Any) -> str:
    """What a function is called in the query."""
    text: str = node.sql(dialect="sqlite")
    return text.partition("(")[0].strip().upper() if "(" in text else type(node).__name__.upper()
