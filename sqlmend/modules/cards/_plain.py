"""Cards that show queries as they were written: the last one, or the way to it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmend._text import cap
from sqlmend.memory import CardPart, Execution
from sqlmend.modules._limits import ERROR_LIMIT, SQL_LIMIT
from sqlmend.modules._probe import Probe
from sqlmend.modules.cards._holds_sql import holds_sql
from sqlmend.modules.cards._material import Material

#: What stands between the columns and the first row of a look, see ``Probe``.
_ROWS_BEGIN = "): ("


def verbatim(material: Material) -> tuple[CardPart, ...]:
    """The query alone."""
    return (sql_part("query", material.sql),)


def trace(material: Material) -> tuple[CardPart, ...]:
    """Every attempt with what the machine said of it, the looks at the database between them, the query."""
    return (*_way(material), *verbatim(material))


def sql_part(label: str, sql: str) -> CardPart:
    """A statement as long as a prompt shows at most."""
    return CardPart(label, cap(sql, SQL_LIMIT), code=True)


def said_part(label: str, words: str) -> CardPart:
    """Words of the machine, which may quote a piece of a query: they are SQL then."""
    return CardPart(label, words, code=holds_sql(words))


def said(attempt: Execution) -> str:
    """What came of an attempt, in words of the machine and no rows."""
    if attempt.status == "mismatch":
        return "it ran, but its result is not the answer"
    return attempt.status if attempt.error is None else f"{attempt.status}: {cap(attempt.error, ERROR_LIMIT)}"


def _way(material: Material) -> Iterator[CardPart]:
    for number, attempt in enumerate(material.attempts):
        for count, look in enumerate(material.probes, 1):
            if look.attempt == number:
                yield sql_part(f"look {count}", look.execution.sql)
                yield from _found(f"look {count}", look)
        if number < len(material.attempts) - 1:
            yield sql_part(f"attempt {number + 1}", attempt.sql)
            yield said_part(f"attempt {number + 1} gave", said(attempt))


def _found(label: str, look: Probe) -> Iterator[CardPart]:
    """What a look found: the columns, which are SQL where a query names none, apart from the rows."""
    if not look.rows:
        yield said_part(f"{label} found", said(look.execution))
        return
    count, _, rest = look.rows.partition(" of (")
    # The last one: a value may hold the mark too, and a column would not be told from it.
    columns, mark, first = rest.rpartition(_ROWS_BEGIN)
    rows = f"{count}: ({first}" if mark else count
    yield CardPart(f"{label} columns", columns if mark else rest.removesuffix(")"), code=True)
    yield said_part(f"{label} found", rows)
