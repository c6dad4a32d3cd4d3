"""What was recalled, with the numbers that say why."""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

from sqlmend.memory import Record


@dataclass(frozen=True)
class Scored:
    """A record with its scores in one selected pool.

    Attributes:
        record: The record.
        score: What it is ranked by: the weighted sum of ``dense`` and ``lexical``.
        dense: Inner product with the query, made comparable over the pool by the fusion of the settings.
        lexical: BM25 score, likewise.
        similarity: The inner product itself.
        bm25: The BM25 score itself.
        type_match: Whether it has the query's failure type.
    """

    record: Record
    score: float
    dense: float
    lexical: float
    similarity: float
    bm25: float
    type_match: bool

    def to_dict(self) -> dict[str, Any]:
        """Plain values for a log: the record's id, and the numbers rounded to six digits."""
        numbers = {
            f.name: getattr(self, f.name) for f in fields(self) if f.name not in ("record", "type_match")
        }
        rounded = {name: round(value, 6) for name, value in numbers.items()}
        return {"id": self.record.id, **rounded, "type_match": self.type_match}


@dataclass(frozen=True)
class Pool:
    """How a legal pool was cut.

    Attributes:
        legal: Records that the view lets through.
        selected: Those of them that were ranked.
    """

    legal: int
    selected: int


@dataclass(frozen=True)
class Recalled:
    """The memories of one query, best first; a program fills the parts that its steps recall.

    Attributes:
        positives: Confirmed repairs.
        negatives: Observed dead ends.
        mixed: Repairs of either polarity from one pool.
        reflections: Reflections on other questions.
        cards: Cards of other questions.
        positive_pool: What the positives were taken from.
        negative_pool: What the negatives were taken from.
        mixed_pool: What the mixed ones were taken from.
        reflection_pool: What the reflections were taken from.
        card_pool: What the cards were taken from.
    """

    positives: tuple[Scored, ...] = ()
    negatives: tuple[Scored, ...] = ()
    mixed: tuple[Scored, ...] = ()
    reflections: tuple[Scored, ...] = ()
    cards: tuple[Scored, ...] = ()
    positive_pool: Pool = Pool(0, 0)
    negative_pool: Pool = Pool(0, 0)
    mixed_pool: Pool = Pool(0, 0)
    reflection_pool: Pool = Pool(0, 0)
    card_pool: Pool = Pool(0, 0)

    def to_dict(self) -> dict[str, Any]:
        """Plain values for a log; parts whose pool is empty are left out."""
        parts = {
            "positive": self.positives,
            "negative": self.negatives,
            "mixed": self.mixed,
            "reflection": self.reflections,
            "card": self.cards,
        }
        shown: dict[str, Any] = {}
        for name, scored in parts.items():
            pool: Pool = getattr(self, f"{name}_pool")
            if pool.legal:
                shown[name] = {"recalled": [one.to_dict() for one in scored], **vars(pool)}
        return shown
