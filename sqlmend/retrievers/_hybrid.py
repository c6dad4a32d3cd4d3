"""The causal, type-conditioned hybrid retriever."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlmend._files import sha256_text
from sqlmend.memory import MemoryView, Record
from sqlmend.retrievers._bm25 import tokenize
from sqlmend.retrievers._index import MemoryIndex
from sqlmend.retrievers._policies import TYPE_POLICIES
from sqlmend.retrievers._recalled import Pool, Recalled, Scored
from sqlmend.retrievers._settings import RankSettings, RecallSettings
from sqlmend.retrievers._texts import QUERY_TEXTS, RecallQuery, entry_texts, pool_fields

_RRF = 60


class HybridRetriever:
    """Ranks what a view of the memory lets through by embeddings and BM25 together.

    A legal pool is cut by the type policy; each score is min-max normalised over what is left (or goes by
    its rank there, see ``reciprocal_rank``), and every member of it is ranked. It changes nothing in memory
    or view.

    Args:
        index: The index of the memory that the views are of.
    """

    def __init__(self, index: MemoryIndex) -> None:
        self._index = index

    def recall(self, query: RecallQuery, view: MemoryView, settings: RecallSettings) -> Recalled:
        """The best positives and negatives, at most the top-k of each."""
        positives, positive_pool = self.best(query, view, ("positive",), settings, settings.top_k_positive)
        negatives, negative_pool = self.best(query, view, ("negative",), settings, settings.top_k_negative)
        return Recalled(
            positives=positives,
            negatives=negatives,
            positive_pool=positive_pool,
            negative_pool=negative_pool,
        )

    def best(
        self,
        query: RecallQuery,
        view: MemoryView,
        kinds: Sequence[str],
        settings: RankSettings,
        top_k: int | None,
    ) -> tuple[tuple[Scored, ...], Pool]:
        """The best of one pool of entries of all ``kinds``, and how the pool was cut; None: all of it.

        Raises:
            InputError: A kind is unknown, or cannot be searched by the fields of the settings.
        """
        legal = [
            record
            for kind in kinds
            for record in view.pool(kind, scope=settings.scope, same_group=settings.same_group)
        ]
        for kind in kinds:
            entry_texts(kind, settings.fields)
        if not legal or top_k == 0:
            return (), Pool(len(legal), 0)
        arrays, rows = self._index.locate(legal, pool_fields(kinds, settings.fields))
        match = arrays.types(rows) == query.failure_type
        cut = TYPE_POLICIES[settings.type_policy](match, query.failure_type, settings)
        kept = np.flatnonzero(cut.kept)
        rows, match = rows[kept], match[kept]
        pool = [legal[i] for i in kept]

        text = QUERY_TEXTS[settings.fields](query)
        similarity = arrays.dense(self._index.embed(text), rows)
        bm25 = arrays.lexical(tokenize(text), rows)
        scaled = FUSIONS[settings.fusion]
        dense, lexical = scaled(similarity), scaled(bm25)
        score = settings.dense * dense + settings.lexical * lexical + cut.bonus * match
        # What has no say decides nothing, ties included: a score without weight, a type without a policy.
        ties: list[NDArray[Any]] = [~match] if cut.by_type else []
        ties += [
            -scores for scores, weight in ((lexical, settings.lexical), (dense, settings.dense)) if weight
        ]
        order = np.lexsort((arrays.ids(rows), *ties, -score))
        if settings.ranking == "random":
            order = _drawn(pool, query.draw)
        best = order[:top_k]
        columns = (column[best].tolist() for column in (score, dense, lexical, similarity, bm25, match))
        ranked = tuple(map(Scored, [pool[i] for i in best], *columns))
        return ranked, Pool(len(legal), len(rows))


def _drawn(pool: Sequence[Record], draw: str) -> NDArray[np.intp]:
    """The pool in an order that hangs on the draw and the entries alone."""
    keys = [sha256_text(f"{draw}:{record.id}") for record in pool]
    return np.array(sorted(range(len(pool)), key=keys.__getitem__), dtype=np.intp)


def reciprocal_rank(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """``(k + 1) / (k + rank)``, k 60 and the best at rank 1; equal values share a rank.

    Reciprocal rank fusion (Cormack, Clarke & Buettcher, SIGIR 2009), scaled so that the best has 1 as it has
    under ``min_max``: weights and the bonus of a type mean the same under both.
    """
    ahead = len(values) - np.searchsorted(np.sort(values), values, side="right")
    scaled: NDArray[np.float64] = (_RRF + 1) / (_RRF + 1 + ahead)
    return scaled


def min_max(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """``values`` scaled to 0..1 by their least and greatest; all 0 where these are equal."""
    low, high = values.min(), values.max()
    return (values - low) / (high - low) if high > low else np.zeros_like(values)


FUSIONS = {"min_max": min_max, "rrf": reciprocal_rank}
"""Name of a fusion to what makes a score comparable with the other."""
