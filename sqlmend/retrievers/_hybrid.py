"""The causal, type-conditioned hybrid retriever."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sqlmend.memory import MemoryView, Polarity
from sqlmend.retrievers._bm25 import tokenize
from sqlmend.retrievers._index import MemoryIndex
from sqlmend.retrievers._policies import TYPE_POLICIES
from sqlmend.retrievers._recalled import Pool, Recalled, Scored
from sqlmend.retrievers._settings import RecallSettings
from sqlmend.retrievers._texts import RecallQuery, query_text


class HybridRetriever:
    """Ranks what a view of the memory lets through by embeddings and BM25 together.

    The legal pool of a polarity is cut by the type policy; each score is min-max normalised over what
    is left, and every member of it is ranked. It changes nothing in memory or view.

    Args:
        index: The index of the memory that the views are of.
    """

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    def recall(self, query: RecallQuery, view: MemoryView, settings: RecallSettings) -> Recalled:
        """The best positives and negatives, at most the top-k of each."""
        positives, positive_pool = self._best(query, view, "positive", settings, settings.top_k_positive)
        negatives, negative_pool = self._best(query, view, "negative", settings, settings.top_k_negative)
        return Recalled(positives, negatives, positive_pool, negative_pool)

    def rank(
        self, query: RecallQuery, view: MemoryView, polarity: Polarity, settings: RecallSettings
    ) -> tuple[Scored, ...]:
        """The whole selected pool of a polarity, best first."""
        return self._best(query, view, polarity, settings, None)[0]

    def _best(
        self,
        query: RecallQuery,
        view: MemoryView,
        polarity: Polarity,
        settings: RecallSettings,
        top_k: int | None,
    ) -> tuple[tuple[Scored, ...], Pool]:
        legal = view.pool(polarity, scope=settings.scope, same_group=settings.same_group)
        if not legal or top_k == 0:
            return (), Pool(len(legal), 0)
        arrays, rows = self._index.locate(polarity, legal)
        match = arrays.types(rows) == query.failure_type
        kept = np.flatnonzero(TYPE_POLICIES[settings.type_policy](match, settings.min_same_type))
        rows, match = rows[kept], match[kept]

        text = query_text(query)
        similarity = arrays.dense(self._index.embed(text), rows)
        bm25 = arrays.lexical(tokenize(text), rows)
        dense, lexical = min_max(similarity), min_max(bm25)
        score = settings.dense * dense + settings.lexical * lexical
        best = np.lexsort((arrays.ids(rows), ~match, -lexical, -dense, -score))[:top_k]
        columns = (column[best].tolist() for column in (score, dense, lexical, similarity, bm25, match))
        ranked = tuple(map(Scored, [legal[i] for i in kept[best]], *columns))
        return ranked, Pool(len(legal), len(rows))


def min_max(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """``values`` scaled to 0..1 by their least and greatest; all 0 where these are equal."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)
