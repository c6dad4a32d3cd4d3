"""What a program asks of the world outside: a judgement of one query."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True)
class Judgement:
    """What feedback says of one query; it holds no rows and nothing of a reference.

    Attributes:
        status: ``match``, ``mismatch``, ``ok`` (it ran, and nobody knows whether it is right),
            ``reference_failed`` or a failing status of the database.
        error: The DBMS's text where it failed, else None.
        solved: Whether it is right; the episode ends here.
        undecidable: Nobody can say what is right here; the episode ends and leaves nothing.
    """

    status: str
    error: str | None
    solved: bool
    undecidable: bool = False


class Feedback(Protocol):
    """Runs and judges the queries of one episode.

    Duties:
        1. Each call runs the query once and returns; it raises only where the run must stop.
        2. The same query gets the same judgement.
        3. Nothing of a reference, its rows or its text reaches the caller.
    """

    def __call__(self, sql: str) -> Judgement:
        """Run ``sql`` (any text) and judge it."""
        ...
