"""The texts that are embedded and searched, made from queries and entries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sqlmend.memory import Execution, RepairEntry

#: Part of an index's identity: another number, and indexes are rebuilt from the log.
TEXT_FORMAT = 1


@dataclass(frozen=True)
class RecallQuery:
    """What an episode wants to be reminded of.

    Attributes:
        question: Text of the current question.
        sql: The current, failed statement.
        failure_context: What the machine said of it, see :func:`failure_context`.
        failure_type: Its failure type.
    """

    question: str
    sql: str
    failure_context: str
    failure_type: str


def failure_context(status: str, error: str | None) -> str:
    """A status and the DBMS's text, as they stand in queries and entries."""
    return f"{status}: {error}" if error else status


def query_text(query: RecallQuery) -> str:
    """The text that is embedded and searched for a query."""
    return _join([query.question, query.sql, query.failure_context, query.failure_type])


def dense_text(entry: RepairEntry) -> str:
    """The text that is embedded for an entry.

    The schema comes last: it is the longest part, and a model that cuts a text at its token limit
    then cuts the schema instead of everything that tells two entries of one database apart.
    """
    return _join([entry.question, *_failure(entry), *_outcome(entry), entry.schema])


def lexical_text(entry: RepairEntry) -> str:
    """The text that BM25 sees of an entry; a positive also has the SQL that the repair led to."""
    direction = entry.after.sql if entry.polarity == "positive" else ""
    return _join([entry.question, *_failure(entry), *_outcome(entry), direction])


def _failure(entry: RepairEntry) -> list[str]:
    return [entry.before.sql, _said(entry.before), entry.delta, entry.failure_type]


def _outcome(entry: RepairEntry) -> list[str]:
    return [_said(entry.after)]


def _said(execution: Execution) -> str:
    return failure_context(execution.status, execution.error)


def _join(parts: Iterable[str | None]) -> str:
    return "\n".join(part for part in parts if part)
