"""Examples from a split that is declared as demonstrations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import dspy
import numpy as np
from numpy.typing import NDArray

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


class ExamplePool:
    """All examples of a split, their questions embedded once.

    Args:
        examples: The examples.
        embedder: Embeds their questions, and those that ask for them.
    """

    def __init__(self, examples: Sequence[Example], embedder: Embedder) -> None:
        self.examples = tuple(examples)
        self.embedder = embedder

    @cached_property
    def vectors(self) -> NDArray[np.float32]:
        """A row for each example."""
        vectors: NDArray[np.float32] = self.embedder.embed([example.question for example in self.examples])
        return vectors


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

    def forward(self, question: str, shape: Sequence[int], pool: ExamplePool | None) -> dspy.Prediction:
        """Recall for one question.

        Args:
            question: The question's text.
            shape: The shape of its linked schema.
            pool: The demonstrations; None: nothing is recalled.

        Returns:
            A prediction with ``examples``, best first.
        """
        if pool is None or not pool.examples or self.top_k == 0:
            return dspy.Prediction(examples=())
        meaning = pool.vectors @ pool.embedder.embed([question])[0]
        alike = np.array([1 / (1 + _distance(shape, example.shape)) for example in pool.examples])
        best = np.lexsort((np.arange(len(meaning)), -(meaning + alike)))[: self.top_k]
        return dspy.Prediction(examples=tuple(pool.examples[i] for i in best))


def _distance(one: Sequence[int], other: Sequence[int]) -> float:
    if not one or len(one) != len(other):
        return float("inf")
    return float(sum(abs(a - b) for a, b in zip(one, other, strict=True)))
