"""What the database says of its own columns: few, small, cached reads through the sandbox."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlmend.databases import STATUSES, Database, Outcome

_SAMPLE = 300
_READ_S = 5.0
_MOST_READS = 300
_UNIFORM = 0.95
_REFUSED = frozenset(STATUSES) - {"ok", "timeout", "too_large", "other_error"}

#: How dates are written, by name; only ``iso`` is what date functions read, and ``dmy`` does not sort.
FORMS: Mapping[str, re.Pattern[str]] = {
    "iso": re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?"),
    "ymd": re.compile(r"\d{4}[/.]\d{1,2}[/.]\d{1,2}"),
    "dmy": re.compile(r"\d{1,2}([/.-])\d{1,2}\1(\d{4}|\d{2})"),
    "compact": re.compile(r"(1[89]|20)\d{2}(0[1-9]|1[0-2])(0[1-9]|[12]\d|3[01])"),
}
_NUMBER = re.compile(r"\s*[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?\s*")


class Facts:
    """Reads of one database for one question, each made once.

    What cannot be read in time, or after ``_MOST_READS`` reads, is not known, and nothing is concluded
    from it. An object serves one question, so that what is known never depends on earlier ones.

    Args:
        database: The database.
    """

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, Outcome] = {}

    def sample(self, table: str, column: str) -> list[Any]:
        """Some of a column's values that are not NULL."""
        name = quoted(column)
        rows = self._read(f"SELECT {name} FROM {quoted(table)} WHERE {name} IS NOT NULL LIMIT {_SAMPLE}")
        return [row[0] for row in rows or ()]

    def form(self, table: str, column: str) -> str:
        """How a text column's dates are written, a key of ``FORMS``; ``""`` where it holds something else."""
        values = self.sample(table, column)
        if not values or not all(isinstance(value, str) for value in values):
            return ""
        for name, pattern in FORMS.items():
            if sum(1 for value in values if pattern.fullmatch(value)) >= _UNIFORM * len(values):
                return name
        return ""

    def numeric(self, table: str, column: str) -> bool | None:
        """Whether all values are numbers, or text that reads as one; None where there are none."""
        values = self.sample(table, column)
        return all(is_number(value) for value in values) if values else None

    def wordy(self, table: str, column: str) -> bool:
        """Whether no value is a number or reads as one."""
        values = self.sample(table, column)
        return bool(values) and not any(is_number(value) for value in values)

    def occurs(self, table: str, condition: str) -> bool | None:
        """Whether a row of a table fulfils a condition; None where that cannot be found out."""
        rows = self._read(f"SELECT 1 FROM {quoted(table)} WHERE {condition} LIMIT 1")
        return None if rows is None else bool(rows)

    def similar(self, table: str, column: str, text: str) -> str | None:
        """A value that is ``text`` but for case, spaces, hyphens and underscores."""
        name = quoted(column)
        folded = re.sub(r"[ _-]", "", text).lower()
        plain = f"replace(replace(replace({name}, ' ', ''), '-', ''), '_', '')"
        rows = self._read(
            f"SELECT {name} FROM {quoted(table)} WHERE lower({plain}) = {literal(folded)} LIMIT 1"
        )
        return str(rows[0][0]) if rows else None

    def values(self, table: str, column: str, most: int) -> list[Any] | None:
        """The distinct values of a column, None where there are more than ``most``."""
        name = quoted(column)
        rows = self._read(
            f"SELECT DISTINCT {name} FROM {quoted(table)} WHERE {name} IS NOT NULL LIMIT {most + 1}"
        )
        return None if rows is None or len(rows) > most else [row[0] for row in rows]

    def rows(self, sql: str) -> list[tuple[Any, ...]] | None:
        """The rows of a small query of ours, None where it fails."""
        return self._read(sql)

    def refusal(self, query: str) -> str | None:
        """What the database says of a query that it does not take; None where it does, or is out of time."""
        outcome = self._ask(f"SELECT * FROM ({query.rstrip('; ')}\n) LIMIT 0")
        return outcome.error if outcome is not None and outcome.status in _REFUSED else None

    def _read(self, sql: str) -> list[tuple[Any, ...]] | None:
        outcome = self._ask(sql)
        return outcome.rows if outcome is not None and outcome.status == "ok" else None

    def _ask(self, sql: str) -> Outcome | None:
        if sql not in self._known:
            if len(self._known) >= _MOST_READS:
                return None
            self._known[sql] = self._database.execute(sql, timeout_s=_READ_S, max_rows=_SAMPLE + 1)
        return self._known[sql]


def is_number(value: Any) -> bool:
    """Whether a value is a number or text that reads as one."""
    return isinstance(value, int | float) or (isinstance(value, str) and bool(_NUMBER.fullmatch(value)))


def quoted(name: str) -> str:
    """A name in double quotes."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A string in single quotes."""
    return "'" + text.replace("'", "''") + "'"
