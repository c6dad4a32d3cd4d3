"""BM25 over a pool that changes from question to question: appended to, against bm25s rebuilt for each pool.

    python -m pytest benchmarks/bench_bm25.py --benchmark-enable

bm25s has no incremental add, and its statistics are those of all its documents, so that every pool of a
causal stream is an index of its own there. Scores are the same to 1e-6 (checked here as well).
"""

from __future__ import annotations

import random

import bm25s
import numpy as np
import pytest

from sqlmend.retrievers._bm25 import K1, B, Bm25

WORDS = [f"word_{n}" for n in range(400)]
CHANCE = random.Random(0)
DOCUMENTS = [CHANCE.choices(WORDS, k=60) for _ in range(1000)]
QUERY = CHANCE.choices(WORDS, k=40)
POOL = np.array(sorted(CHANCE.sample(range(1000), 400)))


def peer() -> np.ndarray:
    """bm25s: an index of the pool, then its scores."""
    index = bm25s.BM25(method="lucene", k1=K1, b=B, dtype="float64")
    index.index([DOCUMENTS[n] for n in POOL], show_progress=False)
    return index.get_scores(QUERY)


@pytest.fixture(scope="module")
def ours() -> Bm25:
    index = Bm25()
    for document in DOCUMENTS:
        index.add(document)
    return index


@pytest.mark.benchmark(group="bm25 scores of a pool of 400 in 1,000 documents")
def test_appended_index(benchmark, ours):
    scores = benchmark(ours.scores, QUERY, POOL)
    assert scores == pytest.approx(peer(), abs=1e-6)


@pytest.mark.benchmark(group="bm25 scores of a pool of 400 in 1,000 documents")
def test_peer_bm25s_rebuilt(benchmark):
    assert len(benchmark(peer)) == len(POOL)
