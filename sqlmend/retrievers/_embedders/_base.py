"""What our embedders share: cleaning, a cache, unit length."""

from __future__ import annotations

import hashlib
import threading
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sqlmend.errors import SqlmendError
from sqlmend.retrievers._embedders._protocol import Vectors

_CACHED = 4096


class BaseEmbedder(ABC):
    """An embedder around a model.

    The vectors of the last 4,096 texts are kept by hash of the text, so that the same query of
    several programs in one process is embedded once. Thread-safe: one call at a time, so that a text
    that several threads ask for has one vector.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._cache: OrderedDict[bytes, Vectors] = OrderedDict()

    @property
    @abstractmethod
    def name(self) -> str:
        """Identity of the vectors."""

    @property
    @abstractmethod
    def dim(self) -> int:
        """Length of a vector."""

    @abstractmethod
    def _encode(self, texts: list[str]) -> NDArray[np.floating]:
        """One row for each text, of any length but 0; the texts are distinct and valid Unicode."""

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape ``(len(texts), dim)``, float32, each of length 1.

        Raises:
            SqlmendError: The model cannot be had or gave something else.
        """
        clean = [text.encode("utf-8", "replace").decode("utf-8") for text in texts]
        keys = [hashlib.sha256(text.encode("utf-8")).digest() for text in clean]
        with self._lock:
            return self._vectors(keys, clean)

    def _vectors(self, keys: list[bytes], clean: list[str]) -> Vectors:
        rows = {key: self._cache[key] for key in keys if key in self._cache}
        missing = {key: text for key, text in zip(keys, clean, strict=True) if key not in rows}
        if missing:
            rows.update(zip(missing, self._unit(list(missing.values())), strict=True))
        for key in keys:
            self._cache[key] = rows[key]
            self._cache.move_to_end(key)
        while len(self._cache) > _CACHED:
            self._cache.popitem(last=False)
        return np.stack([rows[key] for key in keys]) if keys else np.zeros((0, self.dim), np.float32)

    def _unit(self, texts: list[str]) -> Vectors:
        vectors = np.asarray(self._encode(texts), dtype=np.float64)
        norms = np.linalg.norm(vectors, axis=-1, keepdims=True)
        if vectors.shape != (len(texts), self.dim) or not np.isfinite(norms).all() or not norms.all():
            raise SqlmendError(
                "bad_embedding",
                f"{self.name} gave vectors of shape {vectors.shape} for {len(texts)} texts, "
                f"expected ({len(texts)}, {self.dim}), finite and not zero",
            )
        return np.asarray(vectors / norms, dtype=np.float32)
