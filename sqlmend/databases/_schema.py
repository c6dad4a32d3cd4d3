"""A database's schema as a value: tables, columns, keys."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property


@dataclass(frozen=True)
class Column:
    """One column: ``type`` is the declared type as written, ``""`` where none is declared."""

    name: str
    type: str = ""
    not_null: bool = False
    primary_key: bool = False


@dataclass(frozen=True)
class ForeignKey:
    """``columns`` of this table refer to ``referenced`` columns of ``table``, pairwise.

    ``referenced`` is empty where the key names no columns and ``table`` does not exist.
    """

    columns: tuple[str, ...]
    table: str
    referenced: tuple[str, ...]


@dataclass(frozen=True)
class Table:
    """One table, or one view, and what it declares."""

    name: str
    columns: tuple[Column, ...]
    foreign_keys: tuple[ForeignKey, ...] = ()
    view: bool = False


@dataclass(frozen=True)
class Schema:
    """All tables and views of a database, in the order in which it lists them."""

    tables: tuple[Table, ...]

    @cached_property
    def fingerprint(self) -> str:
        """``sha256:...`` of the sorted set of (table, position, column, declared type).

        Names and types are folded in case and space. Adding, dropping, renaming, retyping or moving a
        column changes it; the order of listing, rows, samples, indexes, keys and views do not.
        """
        facts = sorted(
            [_fold(table.name), position, _fold(column.name), _fold(column.type)]
            for table in self.tables
            if not table.view
            for position, column in enumerate(table.columns)
        )
        text = json.dumps(facts, ensure_ascii=True, separators=(",", ":"))
        return "sha256:" + hashlib.sha256(text.encode("ascii")).hexdigest()

    def ddl(self) -> str:
        """The schema as CREATE TABLE statements, one column a line; names quoted only where needed."""
        from sqlmend.databases._ddl import render_ddl

        return render_ddl(self)


def _fold(text: str) -> str:
    return " ".join(text.split()).casefold()
