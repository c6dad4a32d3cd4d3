"""Attempts and memories as sections of a prompt: what is shown of each, and nothing more."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend._text import for_prompt
from sqlmend.memory import Execution, ReflectionEntry, RepairEntry
from sqlmend.modules._limits import DELTA_LIMIT, ERROR_LIMIT, NAME_LIMIT, REFLECTION_LIMIT, SQL_LIMIT
from sqlmend.retrievers import Scored


def render_history(attempts: Sequence[Execution], first: int = 1) -> str:
    """The attempts, numbered from the initial query on; ``first`` is the number of the first shown."""
    return "\n".join(
        f"[{number}] {_status(attempt)}\n{_sql(attempt.sql)}"
        for number, attempt in enumerate(attempts, first)
    )


def render_feedback(attempt: Execution, number: int, failure_type: str) -> str:
    """What the machine said of the attempt; never rows."""
    return "\n".join(
        [
            f"attempt: {number}",
            f"status: {_explained(attempt.status)}",
            f"message: {_error(attempt)}",
            f"failure type: {for_prompt(failure_type, NAME_LIMIT)}",
        ]
    )


def render_positives(recalled: Sequence[Scored]) -> str:
    """Repairs that were confirmed: context, failing query, corrected query, delta."""
    return "\n".join(_positive(n, scored.record.entry) for n, scored in enumerate(recalled, 1))


def render_negatives(recalled: Sequence[Scored]) -> str:
    """Repairs that were seen to fail: an observation, without an invented cause."""
    return "\n".join(_negative(n, scored.record.entry) for n, scored in enumerate(recalled, 1))


def render_mixed(recalled: Sequence[Scored]) -> str:
    """Repairs of either polarity, each shown alike, without a word on which is worth following."""
    return "\n".join(_mixed(n, scored.record.entry) for n, scored in enumerate(recalled, 1))


def render_reflections(texts: Sequence[str]) -> str:
    """The episode's own reflections, oldest first."""
    return "\n".join(f"- {_reflection(text)}" for text in texts)


def render_notes(notes: Sequence[str]) -> str:
    """Failure notes; their texts of the machine are neutralised already."""
    return "\n".join(notes)


def render_recalled_reflections(recalled: Sequence[Scored]) -> str:
    """Reflections on failures of other questions."""
    return "\n".join(_recalled_reflection(n, scored.record.entry) for n, scored in enumerate(recalled, 1))


def _head(number: int, entry: RepairEntry | ReflectionEntry) -> str:
    return f"[{number}] id {entry.id}, failure type {for_prompt(entry.failure_type, NAME_LIMIT)}"


def _positive(number: int, entry: RepairEntry) -> str:
    return "\n".join(
        [
            _head(number, entry),
            f"failure: {_status(entry.before)}",
            f"failing query: {_sql(entry.before.sql)}",
            f"corrected query: {_sql(entry.after.sql)}",
            f"change: {for_prompt(entry.delta, DELTA_LIMIT)}",
        ]
    )


def _negative(number: int, entry: RepairEntry) -> str:
    return "\n".join(
        [
            _head(number, entry),
            f"failure: {_status(entry.before)}",
            f"attempted change: {for_prompt(entry.delta, DELTA_LIMIT)}",
            f"outcome: {_explained(entry.after.status)}",
            f"message: {_error(entry.after)}",
        ]
    )


def _mixed(number: int, entry: RepairEntry) -> str:
    return "\n".join(
        [
            _head(number, entry),
            f"failure: {_status(entry.before)}",
            f"query: {_sql(entry.before.sql)}",
            f"next query: {_sql(entry.after.sql)}",
            f"change: {for_prompt(entry.delta, DELTA_LIMIT)}",
            f"outcome: {_status(entry.after)}",
        ]
    )


def _recalled_reflection(number: int, entry: ReflectionEntry) -> str:
    return "\n".join(
        [
            _head(number, entry),
            f"failure: {_status(entry.attempt)}",
            f"reflection: {_reflection(entry.text)}",
        ]
    )


def _reflection(text: str) -> str:
    return for_prompt(text, REFLECTION_LIMIT)


def _sql(sql: str) -> str:
    return for_prompt(sql, SQL_LIMIT) or "(no query)"


def _error(attempt: Execution) -> str:
    return for_prompt(attempt.error, ERROR_LIMIT) if attempt.error else "(none)"


def _status(attempt: Execution) -> str:
    status = _explained(attempt.status)
    return f"{status}: {for_prompt(attempt.error, ERROR_LIMIT)}" if attempt.error else status


def _explained(status: str) -> str:
    if status == "mismatch":
        return "mismatch (it ran, but its result is not the answer)"
    return for_prompt(status, NAME_LIMIT)
