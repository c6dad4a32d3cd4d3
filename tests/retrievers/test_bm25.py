from __future__ import annotations

import math

import bm25s
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.retrievers._bm25 import K1, B, Bm25, tokenize

TOKENS = st.lists(st.sampled_from(["select", "from", "pets", "name", "naem", "t1", "_", "no"]), max_size=12)


def filled(documents: list[list[str]]) -> Bm25:
    index = Bm25()
    for document in documents:
        index.add(document)
    return index


@given(st.data())
def test_equals_bm25s_on_the_selected_documents(data: st.DataObject) -> None:
    documents = data.draw(st.lists(TOKENS, min_size=1, max_size=12))
    selected = data.draw(
        st.lists(st.integers(0, len(documents) - 1), min_size=1, unique=True).filter(
            lambda chosen: any(documents[i] for i in chosen)
        )
        if any(documents)
        else st.just([])
    )
    query = data.draw(TOKENS)
    scores = filled(documents).scores(query, np.array(selected, dtype=np.intp))
    if not selected or not query:
        assert not scores.any()
        return
    peer = bm25s.BM25(method="lucene", k1=K1, b=B, dtype="float64")
    peer.index([documents[i] for i in selected], show_progress=False)
    assert scores == pytest.approx(peer.get_scores(query), abs=1e-6)


@given(st.lists(TOKENS, min_size=1, max_size=10), TOKENS, st.randoms())
def test_the_order_of_appending_moves_no_bit(documents: list[list[str]], query: list[str], random) -> None:
    order = list(range(len(documents)))
    random.shuffle(order)
    straight = filled(documents).scores(query, np.arange(len(documents)))
    shuffled = filled([documents[i] for i in order]).scores(query, np.argsort(order))
    assert np.array_equal(straight, shuffled)


def test_the_formula() -> None:
    index = filled([["a", "a", "b"], ["b"], ["c", "c"]])
    idf = math.log(1 + (3 - 1 + 0.5) / (1 + 0.5))
    expected = idf * 2 / (2 + 1.5 * (1 - 0.75 + 0.75 * 3 / 2))
    assert index.scores(["a"], np.arange(3)) == pytest.approx([expected, 0, 0], abs=1e-12)


def test_statistics_are_those_of_the_selection() -> None:
    index = filled([["a"], ["a"], ["b"], ["a", "b"]])
    part = index.scores(["a"], np.array([3, 2]))
    assert part == pytest.approx(filled([["a", "b"], ["b"]]).scores(["a"], np.arange(2)))


def test_scores_follow_what_is_appended() -> None:
    index = filled([["a"]])
    before = index.scores(["a"], np.array([0]))
    index.add(["z"])
    assert np.array_equal(index.scores(["a"], np.array([0])), before)
    assert len(index) == 2


@pytest.mark.parametrize("documents", [[], [[]], [[], []], [["a"], []]])
def test_empty_pools_queries_and_documents(documents: list[list[str]]) -> None:
    index = filled(documents)
    everything = np.arange(len(documents))
    assert index.scores([], everything).shape == (len(documents),)
    assert index.scores(["unknown"], everything).tolist() == [0] * len(documents)
    assert index.scores(["a"], everything[1:]).tolist() == [0] * len(documents[1:])


def test_tokens() -> None:
    assert tokenize("SELECT T1.Name, count(*) FROM `pet_2` -- naïve İ\n'x-1'") == [
        *("select", "t1", "name", "count", "from", "pet_2", "na", "ve", "i", "x", "1"),
    ]
