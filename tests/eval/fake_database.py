"""A database whose answers are written down."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from sqlmend.databases import Outcome, Schema


class FakeDatabase:
    """Answers texts from a table and counts how often each ran."""

    dialect = "sqlite"

    def __init__(self, answers: Mapping[str, Outcome]) -> None:
        self._answers = answers
        self.ran: Counter[str] = Counter()

    def execute(self, sql: str, *, timeout_s: float = 30.0, max_rows: int = 1_000_000) -> Outcome:
        self.ran[sql] += 1
        return self._answers.get(sql) or Outcome("other_error", error=f"unexpected: {sql}")

    def schema(self) -> Schema:
        return Schema(())

    def close(self) -> None:
        pass


def rows(*values: object, elapsed_s: float = 0.0) -> Outcome:
    """One column of these values."""
    return Outcome("ok", ("x",), [(value,) for value in values], elapsed_s=elapsed_s)
