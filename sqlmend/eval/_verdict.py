"""What the oracle says about one prediction."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlmend.databases import STATUSES

#: What a judgement can come to: the prediction's failing status is one of them.
OUTCOMES = ("match", "mismatch", *(status for status in STATUSES if status != "ok"), "reference_failed")

#: What is worth knowing about a judgement, in the order in which a verdict lists it.
FLAGS = (
    "both_empty",
    "gold_failed",
    "gold_timeout",
    "gold_too_large",
    "gold_undetermined",
    "clock_dependent",
    "nondeterministic",
    "differs_from_official",
)


@dataclass(frozen=True)
class Verdict:
    """One prediction against one reference, under one definition.

    Attributes:
        score: 1 exactly when the outcome is ``match``, else 0.
        outcome: ``match``, ``mismatch``, the prediction's failing status, or ``reference_failed``.
        flags: Names from ``FLAGS``; they never change a score.
        diagnostics: ``code: text`` about the prediction alone; nothing of the reference.
        databases: How many database files the prediction had to match on.
    """

    outcome: str
    flags: tuple[str, ...] = ()
    diagnostics: tuple[str, ...] = ()
    databases: int = 1
    score: int = field(init=False)

    def __post_init__(self) -> None:
        if self.outcome not in OUTCOMES:
            raise ValueError(f"outcome must be one of {', '.join(OUTCOMES)}; got {self.outcome!r}")
        if strange := [flag for flag in self.flags if flag not in FLAGS]:
            raise ValueError(f"flags must be among {', '.join(FLAGS)}; got {', '.join(strange)}")
        object.__setattr__(self, "flags", tuple(flag for flag in FLAGS if flag in self.flags))
        object.__setattr__(self, "score", int(self.outcome == "match"))
