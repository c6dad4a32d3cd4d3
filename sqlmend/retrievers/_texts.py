"""The texts that are embedded and searched, made from queries and entries."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlmend.memory import CardEntry, Execution, ReflectionEntry, RepairEntry, RuleEntry

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
        draw: Seeds a random ranking: order, question and step.
    """

    question: str
    sql: str
    failure_context: str
    failure_type: str
    draw: str = ""


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


def reflection_text(entry: ReflectionEntry) -> str:
    """The text that is embedded and searched for a reflection."""
    return _join([entry.question, entry.attempt.sql, _said(entry.attempt), entry.failure_type, entry.text])


def rule_text(entry: RuleEntry) -> str:
    """The text that is embedded and searched for a rule."""
    return _join([entry.rule.pattern, entry.rule.condition, entry.rule.correction])


def card_text(entry: CardEntry) -> str:
    """The text that is embedded and searched for a card: its key."""
    return entry.key


@dataclass(frozen=True)
class EntryTexts:
    """How the entries of a kind are searched.

    Attributes:
        dense: The text that is embedded.
        lexical: The text that BM25 sees.
    """

    dense: Callable[[Any], str]
    lexical: Callable[[Any], str]


#: The kinds that can be recalled; their entries have a ``failure_type``.
ENTRY_TEXTS = {
    "positive": EntryTexts(dense_text, lexical_text),
    "negative": EntryTexts(dense_text, lexical_text),
    "reflections": EntryTexts(reflection_text, reflection_text),
    "rules": EntryTexts(rule_text, rule_text),
    "cards": EntryTexts(card_text, card_text),
}


def _failure(entry: RepairEntry) -> list[str]:
    return [entry.before.sql, _said(entry.before), entry.delta, entry.failure_type]


def _outcome(entry: RepairEntry) -> list[str]:
    return [_said(entry.after)]


def _said(execution: Execution) -> str:
    return failure_context(execution.status, execution.error)


def _join(parts: Iterable[str | None]) -> str:
    return "\n".join(part for part in parts if part)
