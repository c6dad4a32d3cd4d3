"""Examples from a split that is declared as demonstrations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import dspy
import numpy as np

from sqlmend.databases import Schema
from sqlmend.databases.views import Links
from sqlmend.retrievers import Embedder

_NUMBERS = ("int", "real", "num", "dec", "float", "double")
_DATES = ("date", "time", "year")


@dataclass(frozen=True)
class Example:
    """A question with its query, of a split that is declared as demonstrations.

    Attributes:
        question: The question's text.
        sql: Its query.
        shape: What its query needs of its schema, see :func:`schema_shape`.
    """

    question: str
    sql: str
    shape: tuple[int, ...] = ()


def schema_shape(schema: Schema, links: Links) -> tuple[int, ...]:
    """Counts that say what a linked schema is like, whatever its names.

    Tables, keys between them, and linked columns that are numbers, dates, and anything else.
    """
    tables = [table for table in schema.tables if table.name.lower() in links.tables]
    keys = sum(key.table.lower() in links.tables for table in tables for key in table.foreign_keys)
    counts = [0, 0, 0]
    for table in tables:
        for column in table.columns:
            if (table.name.lower(), column.name.lower()) in links.columns:
                text = f"{column.name} {column.type}".lower()
                date = any(word in text for word in _DATES)
                number = any(word in column.type.lower() for word in _NUMBERS)
                counts[1 if date else 0 if number else 2] += 1
    return (len(tables), keys, *counts)


class RecallExamples(dspy.Module):
    """Recalls the examples nearest in question meaning and in the shape of the linked schema.

    Both count alike: the cosine of the questions, and one over one plus the distance of the shapes.

    Args:
        top_k: How many are recalled at most.
    """

    def __init__(self, top_k: int = 3) -> None:
        super().__init__()
        self.top_k = top_k

    def forward(
        self, question: str, shape: Sequence[int], pool: Sequence[Example], embedder: Embedder | None
    ) -> dspy.Prediction:
        """Recall for one question.

        Args:
            question: The question's text.
            shape: The shape of its linked schema.
            pool: The demonstrations; none: nothing is recalled.
            embedder: Embeds questions.

        Returns:
            A prediction with ``examples``, best first.
        """
        if not pool or embedder is None or self.top_k == 0:
            return dspy.Prediction(examples=())
        vectors = embedder.embed([question, *(example.question for example in pool)])
        meaning = vectors[1:] @ vectors[0]
        alike = np.array([1 / (1 + _distance(shape, example.shape)) for example in pool])
        best = np.lexsort((np.arange(len(pool)), -(meaning + alike)))[: self.top_k]
        return dspy.Prediction(examples=tuple(pool[i] for i in best))


def _distance(one: Sequence[int], other: Sequence[int]) -> float:
    if not one or len(one) != len(other):
        return float("inf")
    return float(sum(abs(a - b) for a, b in zip(one, other, strict=True)))
