"""What a candidate's query came to, small enough to keep and to compare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmend._files import sha256_text
from sqlmend.databases import Database, Outcome

#: Rows of a candidate that are looked at; its signature is over all of them.
KEPT_ROWS = 200
_MOST_ROWS = 100_000
_DIGITS = 9


@dataclass(frozen=True)
class Result:
    """The outcome of one query.

    Attributes:
        status: ``ok`` or a failing status of the database.
        error: The DBMS's text where it failed.
        columns: Names of the result's columns.
        rows: Its first ``KEPT_ROWS`` rows.
        count: How many rows it has.
        signature: Equal for equal bags of rows; ``""`` where it failed.
        listing: Equal for equal rows in the same order; ``""`` where it failed.
    """

    status: str
    error: str | None = None
    columns: tuple[str, ...] = ()
    rows: tuple[tuple[Any, ...], ...] = ()
    count: int = 0
    signature: str = ""
    listing: str = ""

    @property
    def ok(self) -> bool:
        """Whether the query ran."""
        return self.status == "ok"

    def __str__(self) -> str:
        if not self.ok:
            return self.status
        return f"{self.count} row{'' if self.count == 1 else 's'} {self.signature[:6]}"


def observe(sql: str, database: Database, timeout_s: float = 30.0) -> Result:
    """Run a candidate's query in the sandbox.

    Args:
        sql: Any text.
        database: Where it runs, read-only.
        timeout_s: Seconds after which it is stopped.
    """
    return result_of(database.execute(sql, timeout_s=timeout_s, max_rows=_MOST_ROWS))


def result_of(outcome: Outcome) -> Result:
    """The result that an outcome is."""
    if outcome.status != "ok":
        return Result(outcome.status, outcome.error)
    texts = [repr(tuple(map(_value, row))) for row in outcome.rows]
    return Result(
        "ok",
        columns=outcome.columns,
        rows=tuple(outcome.rows[:KEPT_ROWS]),
        count=len(outcome.rows),
        signature=_digest(sorted(texts)),
        listing=_digest(texts),
    )


def _digest(texts: Sequence[str]) -> str:
    return sha256_text("\n".join(texts))[:16]


def _value(value: Any) -> Any:
    """Numbers by value, to nine significant digits: ``1`` and ``1.0`` are equal."""
    if isinstance(value, int | float):
        return f"{float(value):.{_DIGITS}g}" if abs(value) < 2**53 else str(value)
    return ("s", value)
