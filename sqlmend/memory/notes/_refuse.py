"""From a verdict to what is kept of it."""

from __future__ import annotations

from sqlmend.databases import Outcome
from sqlmend.memory.notes._classes import UNCLASSIFIED, classify
from sqlmend.memory.notes._key import Key
from sqlmend.memory.notes._mask import detail_of
from sqlmend.memory.notes._note import Refusal
from sqlmend.memory.notes._verdict import Verdict, read_verdict


def refusal_from(key: Key, verdict: Verdict, *, keep_detail: bool = False, at: str = "") -> Refusal:
    """The refusal that a verdict makes: its class, and its text, masked unless it is to be kept."""
    error_class = classify(verdict, key.backend)
    ruled = error_class in (
        "raised_rule",
        UNCLASSIFIED,
    )  # then the words may be those of whoever wrote the rule
    return Refusal.of(
        key,
        error_class,
        detail_of(verdict.text, keep=keep_detail, names=not ruled),
        ",".join(verdict.constructs),
        at,
    )


def refusal_of(key: Key, outcome: Outcome) -> Refusal:
    """The refusal that a failed outcome makes, without a time.

    Raises:
        ValueError: It is ok.
    """
    verdict = read_verdict(outcome)
    if verdict is None:
        raise ValueError("an outcome that is ok refuses nothing")
    return refusal_from(key, verdict)
