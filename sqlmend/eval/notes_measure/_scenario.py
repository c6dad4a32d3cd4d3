"""Tasks whose first, natural statement is refused: data beside this file."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cache, cached_property
from importlib.resources import files
from typing import Any

import yaml

from sqlmend._files import sha256_text
from sqlmend.databases import Column, Schema, Table

#: Kind of scenario to the backend that it runs on.
KINDS: Mapping[str, str] = {
    "non_inferable": "sqlite",
    "inferable": "sqlite",
    "no_alternative": "document",
    "rewrite": "document",
}

_FOLDER = files("sqlmend.eval.notes_measure").joinpath("scenarios")


@dataclass(frozen=True)
class Check:
    """A query on what a statement left, and the rows that it must have."""

    sql: str
    rows: tuple[tuple[Any, ...], ...]


@dataclass(frozen=True)
class Scenario:
    """One task.

    Attributes:
        name: Its name; the cluster of its attempts.
        kind: One of ``KINDS``.
        database: Name of the script that builds its database.
        tables: What a prompt shows of the database.
        task: What is asked.
        naive: A first attempt that is refused.
        error_class: The class of that refusal.
        miss: A statement that runs and does not do what is asked.
        good: A statement that does; None where there is none on this backend.
        checks: What a writing statement must leave.
        answer: Query, on SQLite, for the rows that a reading statement must have, in any order.
    """

    name: str
    kind: str
    database: str
    tables: tuple[str, ...]
    task: str
    naive: str
    error_class: str
    miss: str
    good: str | None = None
    checks: tuple[Check, ...] = ()
    answer: str = ""

    @property
    def backend(self) -> str:
        """``sqlite`` or ``document``."""
        return KINDS[self.kind]

    @cached_property
    def script(self) -> str:
        """Builds the database, rules and rows included."""
        return _FOLDER.joinpath(f"{self.database}.sql").read_text("utf-8")

    @cached_property
    def ddl(self) -> str:
        """The tables of the prompt as they are declared: constraints are seen, triggers are not."""
        listed = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?"
        with closing(self.build()) as connection:
            found = [connection.execute(listed, [table]).fetchone()[0] for table in self.tables]
        return ";\n".join(found) + ";"

    @cached_property
    def schema(self) -> Schema:
        """The schema of the whole database."""
        with closing(self.build()) as connection:
            names = connection.execute(
                "SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY rowid"
            ).fetchall()
            return Schema(tuple(Table(name, _columns(connection, name)) for (name,) in names))

    def build(self) -> sqlite3.Connection:
        """The database, in memory, for statements of this package alone."""
        connection = sqlite3.connect(":memory:")
        connection.executescript(self.script)
        return connection


@cache
def load_scenarios() -> tuple[Scenario, ...]:
    """All scenarios, in the order of the file."""
    rows: Sequence[Mapping[str, Any]] = yaml.safe_load(_FOLDER.joinpath("scenarios.yaml").read_text("utf-8"))
    return tuple(_scenario(row) for row in rows)


def scenarios_hash() -> str:
    """``sha256:...`` of all that the scenarios are made of."""
    texts = [file.read_text("utf-8") for file in sorted(_FOLDER.iterdir(), key=lambda file: file.name)]
    return "sha256:" + sha256_text("\0".join(texts))


def _scenario(row: Mapping[str, Any]) -> Scenario:
    checks = (Check(check["sql"], tuple(map(tuple, check["rows"]))) for check in row.get("checks", ()))
    return Scenario(
        name=row["name"],
        kind=row["kind"],
        database=row["database"],
        tables=tuple(row["tables"]),
        task=row["task"],
        naive=row["naive"]["sql"],
        error_class=row["naive"]["class"],
        miss=row["miss"],
        good=row.get("good"),
        checks=tuple(checks),
        answer=row.get("answer", ""),
    )


def _columns(connection: sqlite3.Connection, table: str) -> tuple[Column, ...]:
    rows = connection.execute(f"PRAGMA table_info({table})").fetchall()
    return tuple(Column(name, kind, bool(needed), bool(key)) for _, name, kind, needed, _, key in rows)
