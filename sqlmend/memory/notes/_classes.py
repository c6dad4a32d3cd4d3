"""What kind of refusal a verdict is: codes first, the text second."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from sqlmend.databases._status import status_of
from sqlmend.memory.notes._verdict import Verdict

#: The classes of the published method, and ours.
PUBLISHED_CLASSES = (
    "deadlock",
    "timeout",
    "type_mismatch",
    "constraint_violation",
    "unsupported_translation",
    "unclassified",
)
OWN_CLASSES = ("raised_rule", "syntax", "schema_reference", "permission")
ERROR_CLASSES = PUBLISHED_CLASSES + OWN_CLASSES

UNCLASSIFIED = "unclassified"


@dataclass(frozen=True)
class _Rule:
    """A text that means a class, for all verdicts or for those of some SQLSTATEs."""

    pattern: re.Pattern[str]
    error_class: str
    codes: frozenset[str]

    def fits(self, verdict: Verdict) -> bool:
        return (not self.codes or verdict.sqlstate in self.codes) and bool(self.pattern.search(verdict.text))


@dataclass(frozen=True)
class _Tables:
    """``data/classes.yaml``."""

    refined: tuple[_Rule, ...]
    sqlstate: Mapping[str, str]
    numbers: Mapping[str, Mapping[int, str]]
    ranges: Mapping[str, tuple[tuple[int, int, str], ...]]
    status: Mapping[str, str]
    names: Mapping[str, str]
    texts: Mapping[str, tuple[_Rule, ...]]
    families: Mapping[str, Mapping[str, str]]


def classify(verdict: Verdict, backend: str) -> str:
    """The class of a failure, one of ``ERROR_CLASSES``; deterministic.

    Args:
        verdict: What the machine said.
        backend: Which machine it was.
    """
    tables = _tables()
    return (
        _by_text(tables.refined, verdict)
        or _by_number(tables, verdict, backend)
        or tables.sqlstate.get(verdict.sqlstate)
        or tables.sqlstate.get(verdict.sqlstate[:3])
        or tables.sqlstate.get(verdict.sqlstate[:2])
        or _by_status(tables, verdict, backend)
        or _by_name(tables.names, verdict)
        or _by_text(tables.texts[backend], verdict)
        or (_by_sqlite_text(tables, verdict) if backend == "sqlite" else None)
        or _by_name(tables.families.get(backend, {}), verdict)
        or _by_text(tables.texts["any"], verdict)
        or _by_name(tables.families["any"], verdict)
        or UNCLASSIFIED
    )


def _by_number(tables: _Tables, verdict: Verdict, backend: str) -> str | None:
    if verdict.number is None:
        return None
    known = tables.numbers.get(backend, {})
    primary = verdict.number & 0xFF if backend == "sqlite" else verdict.number
    if found := known.get(verdict.number) or known.get(primary):
        return found
    ranges = tables.ranges.get(backend, ())
    return next((name for low, high, name in ranges if low <= verdict.number <= high), None)


def _by_status(tables: _Tables, verdict: Verdict, backend: str) -> str | None:
    found = tables.status.get(verdict.status)
    if found == "constraint_violation" and backend == "sqlite" and "constraint failed" not in verdict.text:
        # SQLite has one code for these. The text of a RAISE names no constraint, and it may say anything.
        by_text = _by_text(tables.texts["sqlite"], verdict)
        return by_text if by_text == "type_mismatch" else "raised_rule"
    return found


def _by_sqlite_text(tables: _Tables, verdict: Verdict) -> str | None:
    return tables.status.get(status_of(0, verdict.text))


def _by_name(names: Mapping[str, str], verdict: Verdict) -> str | None:
    return next((names[name] for name in verdict.names if name in names), None)


def _by_text(rules: Iterable[_Rule], verdict: Verdict) -> str | None:
    return next((rule.error_class for rule in rules if rule.fits(verdict)), None)


@cache
def _tables() -> _Tables:
    data: dict[str, Any] = yaml.safe_load(
        files("sqlmend.memory.notes").joinpath("data", "classes.yaml").read_text("utf-8")
    )
    return _Tables(
        refined=_rules(data["refined"]),
        sqlstate=data["sqlstate"],
        numbers=data["numbers"],
        ranges={
            backend: tuple((row["from"], row["to"], row["class"]) for row in rows)
            for backend, rows in data["ranges"].items()
        },
        status=data["status"],
        names=data["names"],
        texts={backend: _rules(rows) for backend, rows in data["texts"].items()},
        families=data["families"],
    )


def _rules(rows: Iterable[Mapping[str, Any]]) -> tuple[_Rule, ...]:
    return tuple(
        _Rule(re.compile(row["text"], re.IGNORECASE), row["class"], frozenset(row.get("codes", ())))
        for row in rows
    )
