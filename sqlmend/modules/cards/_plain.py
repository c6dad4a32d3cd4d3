"""Cards that show queries as they were written: the last one, or the way to it."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmend._text import cap
from sqlmend.memory import CardPart, Execution
from sqlmend.modules._limits import ERROR_LIMIT, SQL_LIMIT
from sqlmend.modules.cards._material import Material


def verbatim(material: Material) -> tuple[CardPart, ...]:
    """The query alone."""
    return (sql_part("query", material.sql),)


def trace(material: Material) -> tuple[CardPart, ...]:
    """Every attempt with what the machine said of it, the looks at the database between them, the query."""
    return (*_way(material), *verbatim(material))


def sql_part(label: str, sql: str) -> CardPart:
    """A statement as long as a prompt shows at most."""
    return CardPart(label, cap(sql, SQL_LIMIT), code=True)


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
                yield CardPart(f"look {count} found", look.rows or said(look.execution))
        if number < len(material.attempts) - 1:
            yield sql_part(f"attempt {number + 1}", attempt.sql)
            yield CardPart(f"attempt {number + 1} gave", said(attempt))
