"""The texts that are embedded and searched, made from queries and entries by a choice of their fields."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from sqlmend.errors import InputError, unknown_name
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
    return _join([query.question, *_failure_of(query)])


def dense_text(entry: RepairEntry) -> str:
    """The text that is embedded for an entry.

    The schema comes last: it is the longest part, and a model that cuts a text at its token limit
    then cuts the schema instead of everything that tells two entries of one database apart.
    """
    return _join([*_told(entry), entry.schema])


def lexical_text(entry: RepairEntry) -> str:
    """The text that BM25 sees of an entry; a positive also has the SQL that the repair led to."""
    direction = entry.after.sql if entry.polarity == "positive" else ""
    return _join([*_told(entry), direction])


def step_text(entry: RepairEntry) -> str:
    """The text that BM25 sees of an entry beside those of the other polarity: with what the step led to."""
    return _join([*_told(entry), entry.after.sql])


def reflection_text(entry: ReflectionEntry) -> str:
    """The text that is embedded and searched for a reflection."""
    return _join([entry.question, *_reflected(entry), entry.text])


def rule_text(entry: RuleEntry) -> str:
    """The text that is embedded and searched for a rule."""
    return _join([entry.rule.pattern, entry.rule.condition, entry.rule.correction])


def card_text(entry: CardEntry) -> str:
    """The text that is embedded and searched for a card: its key."""
    return entry.key


@dataclass(frozen=True)
class EntryTexts:
    """How the entries of a kind are searched by one choice of fields.

    Attributes:
        dense: The text that is embedded.
        lexical: The text that BM25 sees.
    """

    dense: Callable[[Any], str]
    lexical: Callable[[Any], str]


def entry_texts(kind: str, fields: str) -> EntryTexts:
    """How the entries of ``kind`` are searched by the choice ``fields``.

    Raises:
        InputError: The kind cannot be recalled, or has no such choice.
    """
    if kind not in ENTRY_TEXTS:
        raise unknown_name("memory kind", kind, ENTRY_TEXTS)
    choices = ENTRY_TEXTS[kind]
    if choices is _REPAIRS and fields in _ONE_POOL:
        return _ONE_POOL[fields]
    if fields not in choices:
        known = ", ".join(choices)
        raise InputError(
            "bad_setting", f"{kind} cannot be searched by fields {fields!r}", hint=f"use {known}"
        )
    return choices[fields]


def pool_fields(kinds: Iterable[str], fields: str) -> str:
    """What a pool of ``kinds`` is searched by where the settings say ``fields``.

    A pool of both polarities is ranked over one text for both; its entries stand on shelves of their own.
    """
    alike = f"one_pool_{fields}"
    return alike if {"positive", "negative"} <= {*kinds} and alike in _ONE_POOL else fields


def _question(of: RecallQuery | RepairEntry | ReflectionEntry) -> str:
    return of.question


def _both(text: Callable[[Any], str]) -> EntryTexts:
    return EntryTexts(text, text)


_REPAIRS = {
    "all": EntryTexts(dense_text, lexical_text),
    "question": _both(_question),
    "failure": _both(lambda entry: _join(_failure(entry))),
    "no_schema": EntryTexts(lambda entry: _join(_told(entry)), lexical_text),
}

#: Those of these choices that tell the polarities apart, as one pool of both is searched; nobody asks for
#: them by name, see :func:`pool_fields`.
_ONE_POOL = {
    "one_pool_all": EntryTexts(dense_text, step_text),
    "one_pool_no_schema": EntryTexts(lambda entry: _join(_told(entry)), step_text),
}

#: A choice of fields to the text of a query: ``all`` (the published way); the ``question`` alone; the
#: ``failure`` alone (the statement, what the machine said of it, its type); all but the entries' schema.
QUERY_TEXTS: dict[str, Callable[[RecallQuery], str]] = {
    "all": query_text,
    "question": _question,
    "failure": lambda query: _join(_failure_of(query)),
    "no_schema": query_text,
}

#: The kinds that can be recalled, with the choices that make a difference to each; their entries have a
#: ``failure_type``.
ENTRY_TEXTS: dict[str, dict[str, EntryTexts]] = {
    "positive": _REPAIRS,
    "negative": _REPAIRS,
    "reflections": {
        "all": _both(reflection_text),
        "question": _both(_question),
        "failure": _both(lambda entry: _join(_reflected(entry))),
    },
    "rules": {"all": _both(rule_text)},
    "cards": {"all": _both(card_text)},
}


def _failure_of(query: RecallQuery) -> list[str]:
    return [query.sql, query.failure_context, query.failure_type]


def _told(entry: RepairEntry) -> list[str]:
    return [entry.question, *_failure(entry), _said(entry.after)]


def _failure(entry: RepairEntry) -> list[str]:
    return [entry.before.sql, _said(entry.before), entry.delta, entry.failure_type]


def _reflected(entry: ReflectionEntry) -> list[str]:
    return [entry.attempt.sql, _said(entry.attempt), entry.failure_type]


def _said(execution: Execution) -> str:
    return failure_context(execution.status, execution.error)


def _join(parts: Iterable[str | None]) -> str:
    return "\n".join(part for part in parts if part)
