"""An embedder without a model, for tests."""

from __future__ import annotations

import re
import zlib

import numpy as np
from numpy.typing import NDArray

from sqlmend.retrievers._embedders._base import BaseEmbedder

_TOKEN = re.compile(r"\w+")


class HashEmbedder(BaseEmbedder):
    """Counts of hashed words: texts that share words are alike. For tests; it knows no meaning.

    Args:
        dim: Length of a vector, at least 2.
    """

    def __init__(self, dim: int = 64) -> None:
        super().__init__()
        self._dim = dim

    @property
    def name(self) -> str:
        """Identity of the vectors."""
        return f"hash{self._dim}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return self._dim

    def _encode(self, texts: list[str]) -> NDArray[np.floating]:
        vectors = np.zeros((len(texts), self._dim))
        vectors[:, 0] = 0.5  # no text is without a direction
        for row, text in zip(vectors, texts, strict=True):
            for token in _TOKEN.findall(text.lower()):
                row[1 + zlib.crc32(token.encode()) % (self._dim - 1)] += 1.0
        return vectors
