from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.retrievers._arrays import EntryArrays


def filled(vectors: np.ndarray) -> EntryArrays:
    arrays = EntryArrays()
    for i, vector in enumerate(vectors):
        arrays.add(f"id{i}", f"type{i % 3}", vector, [f"token{i}"])
    return arrays


def test_rows_grow_and_keep_their_vectors() -> None:
    vectors = np.random.default_rng(0).normal(size=(200, 5)).astype(np.float32)
    arrays = filled(vectors)
    rows = arrays.rows(["id199", "id0", "id64"])
    query = vectors[3]
    assert arrays.dense(query, rows) == pytest.approx(vectors[[199, 0, 64]] @ query, rel=1e-5)
    assert (
        arrays.lexical(["token0"], rows).tolist()[0::2] == [0, 0] and arrays.lexical(["token0"], rows)[1] > 0
    )
    assert arrays.ids(rows).tolist() == ["id199", "id0", "id64"]
    assert arrays.types(rows).tolist() == ["type1", "type0", "type1"]
    assert "id7" in arrays and "id200" not in arrays


def test_no_rows() -> None:
    arrays = EntryArrays()
    nothing = arrays.rows([])
    assert arrays.dense(np.ones(3, np.float32), nothing).shape == (0,)
    assert arrays.lexical(["a"], nothing).shape == arrays.types(nothing).shape == (0,)


def test_labels_follow_what_is_appended() -> None:
    arrays = filled(np.ones((2, 3), np.float32))
    assert arrays.ids(arrays.rows(["id1"])).tolist() == ["id1"]
    arrays.add("a_longer_id", "a_longer_type", np.ones(3, np.float32), [])
    rows = arrays.rows(["a_longer_id", "id0"])
    assert arrays.ids(rows).tolist() == ["a_longer_id", "id0"]
    assert arrays.types(rows).tolist() == ["a_longer_type", "type0"]


def test_unknown_id() -> None:
    with pytest.raises(KeyError):
        EntryArrays().rows(["x"])


@given(st.integers(1, 40), st.integers(1, 70), st.integers(0, 1000))
def test_a_product_depends_on_its_row_alone(size: int, dim: int, seed: int) -> None:
    """Bit for bit: BLAS would not promise it."""
    random = np.random.default_rng(seed)
    vectors = random.normal(size=(size, dim)).astype(np.float32)
    query = random.normal(size=dim).astype(np.float32)
    arrays = filled(vectors)
    together = arrays.dense(query, np.arange(size))
    alone = [arrays.dense(query, np.array([i]))[0] for i in range(size)]
    assert np.array_equal(together, alone)
