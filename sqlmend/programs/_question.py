"""What a program is asked."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """One question of a benchmark or of a user; it carries no reference and no group.

    Attributes:
        id: Unique within its benchmark and split, as text.
        db_id: Name of the database that it is asked of.
        text: The question itself.
        evidence: The benchmark's hint, ``""`` where there is none.
        difficulty: The benchmark's own label, ``""`` where there is none.
    """

    id: str
    db_id: str
    text: str
    evidence: str = ""
    difficulty: str = ""
