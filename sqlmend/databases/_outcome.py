"""What one execution came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

#: Every status of an execution, ``ok`` first (contract 1 of the design).
STATUSES = (
    "ok",
    "syntax_error",
    "unknown_table",
    "unknown_column",
    "ambiguous_column",
    "unknown_function",
    "misuse_of_aggregate",
    "type_mismatch",
    "constraint_violation",
    "denied",
    "timeout",
    "too_large",
    "no_statement",
    "multi_statement",
    "other_error",
)


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a database made of one text.

    Attributes:
        status: ``ok`` or the kind of failure, one of ``STATUSES``.
        columns: Names of the result's columns, in order; empty unless ok.
        rows: The result's rows as tuples; empty unless ok.
        error: The DBMS's own text (or the sandbox's); None exactly when ok.
        elapsed_s: Seconds the execution took.
        lost: The process that ran it was killed, and so was the one that ran it again: the same text may well
            run another time.
    """

    status: str
    columns: tuple[str, ...] = ()
    rows: list[tuple[Any, ...]] = field(default_factory=list)
    error: str | None = None
    elapsed_s: float = 0.0
    lost: bool = False

    def __post_init__(self) -> None:
        if self.status not in STATUSES:
            raise ValueError(f"status must be one of {', '.join(STATUSES)}; got {self.status!r}")
        if (self.error is None) != (self.status == "ok"):
            raise ValueError(f"error must be None exactly when ok; got {self.status!r}, {self.error!r}")
