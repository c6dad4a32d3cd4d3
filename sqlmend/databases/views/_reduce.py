"""A schema cut down to what a question is linked to."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace

from sqlmend.databases._schema import ForeignKey, Schema, Table
from sqlmend.databases.views._links import Links
from sqlmend.errors import unknown_name

#: What is cut: nothing; columns of all tables; tables alone; tables, and columns of those that stay.
REDUCTIONS = ("none", "columns", "tables", "full")


def reduce_schema(schema: Schema, links: Links, reduction: str) -> Schema:
    """The schema without what is not linked.

    Where columns are cut, primary keys stay, and so do the columns of foreign keys between tables that
    stay and the columns that they refer to: without them no join can be written. Without links nothing is
    cut, because an empty schema answers no question.

    Args:
        schema: The whole schema.
        links: What the question is about.
        reduction: One of ``REDUCTIONS``.

    Raises:
        InputError: The reduction is unknown.
    """
    if reduction not in REDUCTIONS:
        raise unknown_name("reduction", reduction, REDUCTIONS)
    if reduction == "none" or not links:
        return schema
    cut_tables, cut_columns = reduction in ("tables", "full"), reduction in ("columns", "full")
    kept = [table for table in schema.tables if not cut_tables or table.name.lower() in links.tables]
    names = {table.name.lower() for table in kept}
    tables = [
        replace(table, foreign_keys=tuple(key for key in table.foreign_keys if key.table.lower() in names))
        for table in kept
    ]
    if cut_columns:
        referenced = _referenced(tables)
        tables = [_cut(table, links, referenced) for table in tables]
    return Schema(tuple(tables))


def _cut(table: Table, links: Links, referenced: Set[tuple[str, str]]) -> Table:
    name = table.name.lower()
    keys = {column.lower() for key in table.foreign_keys for column in key.columns}
    return replace(
        table,
        columns=tuple(
            column
            for column in table.columns
            if column.primary_key
            or column.name.lower() in keys
            or (name, column.name.lower()) in links.columns | referenced
        ),
    )


def _referenced(tables: list[Table]) -> set[tuple[str, str]]:
    keys: list[ForeignKey] = [key for table in tables for key in table.foreign_keys]
    return {(key.table.lower(), column.lower()) for key in keys for column in key.referenced}
