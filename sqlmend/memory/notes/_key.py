"""What a note is found by: backend, schema fingerprint and the shape of the statement."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sqlmend.databases import Column, Schema, Table
from sqlmend.databases._operands import COMPARING, folded_at, string_operands
from sqlmend.databases._shape import shape_of
from sqlmend.databases._statements import without_stray
from sqlmend.databases._tokens import Token
from sqlmend.errors import InputError, unknown_name
from sqlmend.memory.notes._spelling import spelled

#: Where a statement runs, or what it is translated for.
BACKENDS = ("sqlite", "postgres", "duckdb", "mysql", "document")

#: Longer statements are not remembered and have no note: reading them would take too long.
QUERY_LIMIT = 100_000

#: A schema, its fingerprint, or its columns and their types by table.
SchemaLike = Schema | str | Mapping[str, Mapping[str, str]]

# A bracket that opens an array has a space behind it, one that opens a name of SQLite has none.
_TOKENS = re.compile(r"\"[^\"]*\"|`[^`]*`|\[(?! )[^\]]*\]|\S+")
#: What only ends or marks a transaction: it fails for what was done before, and has to be sent again.
_STEERING = re.compile(r"(?:commit|end|rollback|abort|savepoint|release|prepare transaction)\b[^;]*")


class Key(NamedTuple):
    """The gate (backend and fingerprint, matched exactly) and the shape (matched by its tokens)."""

    backend: str
    fingerprint: str
    shape: str


def key_of(query: str, schema: SchemaLike, backend: str) -> Key | None:
    """The key of a statement; None where it is nothing to remember.

    That is where there is nothing in it, it is too long, or it only ends or marks a transaction.

    Raises:
        InputError: The backend is unknown, or the schema is none.
    """
    check_backend(backend)
    if not isinstance(query, str):
        raise InputError("bad_query", f"the query must be text; got {type(query).__name__}")
    known = schema_of(schema)
    if len(query) > QUERY_LIMIT:
        return None
    tokens = spelled(query, backend)
    if isinstance(known, str):
        found, fingerprint = shape_of(tokens, _columns_in(tokens)), known
    else:
        found, fingerprint = shape_of(tokens, known), known.fingerprint
    return None if not found or _STEERING.fullmatch(found) else Key(backend, fingerprint, found)


def check_backend(backend: str) -> None:
    """Refuse an unknown backend.

    Raises:
        InputError: With near names.
    """
    if backend not in BACKENDS:
        raise unknown_name("backend", str(backend), BACKENDS)


def schema_of(schema: SchemaLike) -> Schema | str:
    """A schema in either form that a key is made of: a ``Schema``, or a bare fingerprint.

    Raises:
        InputError: It is no schema.
    """
    if isinstance(schema, Schema) or (isinstance(schema, str) and schema):
        return schema
    if isinstance(schema, Mapping):
        try:
            made = Schema(
                tuple(
                    Table(name, tuple(Column(column, kind) for column, kind in columns.items()))
                    for name, columns in schema.items()
                )
            )
            made.fingerprint  # noqa: B018 - made once; it fails where a name is no text
        except (AttributeError, TypeError):
            pass
        else:
            return made
    raise InputError(
        "bad_schema",
        f"not a schema: {type(schema).__name__}",
        hint="give a Schema, its fingerprint, or {table: {column: type}}",
    )


def _columns_in(tokens: Sequence[Token]) -> Schema | None:
    """The columns that a statement itself tells, for a bare fingerprint, which tells none.

    A double-quoted word is a name on the left of a comparison and a value on its right: so it is in nearly
    all that is written for SQLite, and the shape is that with the schema.
    """
    if all(token.kind != "double" for token in tokens):
        return None
    found = without_stray(tokens)
    left = (i for i in string_operands(found) if folded_at(found, i + 1) in COMPARING | {"not"})
    return Schema((Table("", tuple(Column(found[i].name, "") for i in left)),))


def shape_tokens(text: str) -> frozenset[str]:
    """The distinct tokens of a shape; a quoted name is one."""
    return frozenset(_TOKENS.findall(text))
