"""What a note is found by: backend, schema fingerprint and the shape of the statement."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from sqlmend.databases import Column, Schema, Table, shape
from sqlmend.errors import InputError, unknown_name
from sqlmend.memory.notes._spelling import spelled

#: Where a statement runs, or what it is translated for.
BACKENDS = ("sqlite", "postgres", "duckdb", "mysql", "document")

#: Longer statements are not remembered and have no note: reading them would take too long.
QUERY_LIMIT = 100_000

#: A schema, its fingerprint, or its columns and their types by table.
SchemaLike = Schema | str | Mapping[str, Mapping[str, str]]

_TOKENS = re.compile(r"\"[^\"]*\"|`[^`]*`|\[[^\]]*\]|\S+")


class Key(NamedTuple):
    """The gate (backend and fingerprint, matched exactly) and the shape (matched by its tokens)."""

    backend: str
    fingerprint: str
    shape: str


def key_of(query: str, schema: SchemaLike, backend: str) -> Key | None:
    """The key of a statement; None where there is nothing in it, or it is too long.

    Raises:
        InputError: The backend is unknown, or the schema is none.
    """
    check_backend(backend)
    if not isinstance(query, str):
        raise InputError("bad_query", f"the query must be text; got {type(query).__name__}")
    fingerprint = fingerprint_of(schema)
    if len(query) > QUERY_LIMIT:
        return None
    found = shape(spelled(query, backend), schema if isinstance(schema, Schema) else None)
    return Key(backend, fingerprint, found) if found else None


def check_backend(backend: str) -> None:
    """Refuse an unknown backend.

    Raises:
        InputError: With near names.
    """
    if backend not in BACKENDS:
        raise unknown_name("backend", str(backend), BACKENDS)


def fingerprint_of(schema: SchemaLike) -> str:
    """The fingerprint of a schema in any of its forms.

    Raises:
        InputError: It is none of them.
    """
    if isinstance(schema, Schema):
        return schema.fingerprint
    if isinstance(schema, str) and schema:
        return schema
    if isinstance(schema, Mapping):
        try:
            return Schema(
                tuple(
                    Table(name, tuple(Column(column, kind) for column, kind in columns.items()))
                    for name, columns in schema.items()
                )
            ).fingerprint
        except (AttributeError, TypeError):
            pass
    raise InputError(
        "bad_schema",
        f"not a schema: {type(schema).__name__}",
        hint="give a Schema, its fingerprint, or {table: {column: type}}",
    )


def shape_tokens(text: str) -> frozenset[str]:
    """The distinct tokens of a shape; a quoted name is one."""
    return frozenset(_TOKENS.findall(text))
