"""What a reference query came to on one database; computed once, judged against many times."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from sqlmend.databases import Outcome
from sqlmend.eval._probe import limit_is_undetermined
from sqlmend.eval._rows import holds_undecodable_text
from sqlmend.eval._texts import volatile

_FAILURE_FLAGS = {"timeout": "gold_timeout", "too_large": "gold_too_large"}


@dataclass(frozen=True)
class Denotation:
    """A reference's result. Nothing of it is in its ``repr``.

    Attributes:
        sql: The text that ran.
        outcome: What it came to.
        flags: What a verdict against it has to carry.
        undecodable: The result holds text that is not UTF-8.
        lost: A worker was killed over it, so that it may come out otherwise another time.
    """

    sql: str = field(repr=False)
    outcome: Outcome = field(repr=False)
    flags: tuple[str, ...] = field(repr=False)
    undecodable: bool = field(repr=False)
    lost: bool = field(default=False, repr=False)


def denote(sql: str, run: Callable[[str], Outcome]) -> Denotation:
    """Run a reference's text and probe whether its result is determined."""
    lost = False

    def ran(text: str) -> Outcome:
        nonlocal lost
        found = run(text)
        lost = lost or found.lost
        return found

    outcome = ran(sql)
    flags = volatile(sql)
    if outcome.status != "ok":
        flags = (_FAILURE_FLAGS.get(outcome.status, "gold_failed"), *flags)
    elif limit_is_undetermined(sql, outcome, ran):
        flags = ("gold_undetermined", *flags)
    return Denotation(sql, outcome, flags, holds_undecodable_text(outcome.rows), lost)
