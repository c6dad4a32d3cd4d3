"""A look at the data that a model asked for: one read-only query and the first of its rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from sqlmend._text import cap, for_prompt
from sqlmend.databases import Database, Outcome
from sqlmend.databases._statements import with_depth
from sqlmend.databases._tokens import significant
from sqlmend.memory import Execution
from sqlmend.modules._limits import ERROR_LIMIT, ROWS_LIMIT, SQL_LIMIT

_VALUE_LIMIT = 60
_MOST_ROWS = 100_000
_COMPOUND = frozenset({"union", "all", "except", "intersect"})


@dataclass(frozen=True)
class Probe:
    """One look at a database.

    Attributes:
        execution: The query, its status (``ok`` or a failing one) and the DBMS's text.
        rows: How many rows it gave, its columns and its first rows, as short text; ``""`` where it failed.
            It is data as it stands in the database: whoever shows it makes it safe first.
        attempt: How many attempts of the episode stood before it.
    """

    execution: Execution
    rows: str
    attempt: int


def probe(sql: str, database: Database, rows: int, attempt: int, *, timeout_s: float = 30.0) -> Probe:
    """Run one query of a model in the database's sandbox.

    Args:
        sql: Any text.
        database: Where it runs, read-only.
        rows: First rows to keep at most.
        attempt: How many attempts stand before it.
        timeout_s: Seconds after which it is stopped.
    """
    outcome = database.execute(sql, timeout_s=timeout_s, max_rows=_MOST_ROWS)
    return Probe(Execution(sql, outcome.status, outcome.error), _rows(outcome, rows), attempt)


def _rows(outcome: Outcome, most: int) -> str:
    if outcome.status != "ok":
        return ""
    count = len(outcome.rows)
    columns = ", ".join(cap(name, _VALUE_LIMIT) for name in outcome.columns)
    first = "; ".join(f"({', '.join(map(_value, row))})" for row in outcome.rows[:most])
    more = "; ..." if count > most else ""
    shown = f": {first}{more}" if first else ""
    return cap(f"{count} row{'' if count == 1 else 's'} of ({columns}){shown}", ROWS_LIMIT)


def _value(value: object) -> str:
    return "NULL" if value is None else cap(repr(value), _VALUE_LIMIT)


def render_probes(probes: Sequence[Probe]) -> str:
    """The looks as a section of a prompt, numbered: each query and what the database answered."""
    return "\n".join(
        f"[{number}] {for_prompt(look.execution.sql, SQL_LIMIT)}\n{_answered(look)}"
        for number, look in enumerate(probes, 1)
    )


def _answered(look: Probe) -> str:
    if look.execution.status == "ok":
        return for_prompt(look.rows, ROWS_LIMIT)
    return f"{look.execution.status}: {for_prompt(look.execution.error or '', ERROR_LIMIT)}"


def single_queries(sql: str) -> Iterator[str]:
    """The queries of one statement as a model may run them together: without a ``;`` between them.

    A SELECT outside all parentheses that follows another one, and no UNION, EXCEPT or INTERSECT, is the
    next query.
    """
    start, body, before = 0, False, ""
    for token, depth in with_depth(significant(sql)):
        if depth == 0 and token.folded in ("select", "with", "values"):
            if body and before not in _COMPOUND:
                yield sql[start : token.start].rstrip()
                start, body = token.start, False
            body = body or token.folded != "with"
        before = token.folded
    yield sql[start:]
