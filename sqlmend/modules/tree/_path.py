"""A candidate: one reasoning path into one query, and what came of the query."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlmend.modules.tree._result import Result

#: The typed nodes of a path, from the root to the leaf.
NODE_KINDS = ("question", "tables", "columns", "functions", "values", "sql")


@dataclass(frozen=True)
class Path:
    """How a candidate got from the question to its query.

    Attributes:
        question: The question in other words.
        tables: Tables that it uses.
        columns: Columns, best as ``table.column``.
        functions: Functions and operations, as ``COUNT`` or ``GROUP BY``.
        values: Conditions with their values, as ``city.name = 'Lima'``.
        sql: The query.
    """

    question: str = ""
    tables: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    functions: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    sql: str = ""

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> Path:
        """The path of plain values; what is missing is empty."""

        def listed(name: str) -> tuple[str, ...]:
            return tuple(map(str, data.get(name, ())))

        return cls(
            question=str(data.get("question", "")),
            tables=listed("tables"),
            columns=listed("columns"),
            functions=listed("functions"),
            values=listed("values"),
            sql=str(data.get("sql", "")),
        )


@dataclass(frozen=True)
class Candidate:
    """One answer to a question.

    Attributes:
        label: Names it within its question, as ``c1``.
        path: Its reasoning; a query alone where there is none.
        result: What its query came to; None: not run.
        view: The schema view that it was written from.
    """

    label: str
    path: Path
    result: Result | None = None
    view: str = ""

    @property
    def sql(self) -> str:
        """Its query."""
        return self.path.sql
