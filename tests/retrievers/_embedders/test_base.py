from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from sqlmend.errors import SqlmendError
from sqlmend.retrievers._embedders import _base
from sqlmend.retrievers._embedders._base import BaseEmbedder


class Fake(BaseEmbedder):
    name = "fake"
    dim = 2

    def __init__(self, vector: list[float]) -> None:
        super().__init__()
        self.vector = vector
        self.asked: list[str] = []

    def _encode(self, texts: list[str]) -> NDArray[np.floating]:
        self.asked += texts
        return np.array([self.vector for _ in texts])


def test_a_text_is_embedded_once() -> None:
    fake = Fake([3, 4])
    assert np.allclose(fake.embed(["a", "b", "a"]), [[0.6, 0.8]] * 3)
    fake.embed(["b", "c"])
    assert fake.asked == ["a", "b", "c"]


def test_the_cache_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(_base, "_CACHED", 2)
    fake = Fake([1, 0])
    assert fake.embed(["a", "b", "c"]).shape == (3, 2)
    fake.embed(["c"])
    fake.embed(["a"])
    assert fake.asked == ["a", "b", "c", "a"]


@pytest.mark.parametrize("vector", [[0.0, 0.0], [float("nan"), 1.0], [1.0, 2.0, 3.0]])
def test_a_bad_vector_is_refused(vector: list[float]) -> None:
    with pytest.raises(SqlmendError, match="fake gave vectors"):
        Fake(vector).embed(["a"])


def test_lone_surrogates_reach_no_model() -> None:
    fake = Fake([1, 0])
    fake.embed(["a\ud800b"])
    assert fake.asked == ["a?b"]
