"""What every embedder offers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias, runtime_checkable

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""One row for each text."""


@runtime_checkable
class Embedder(Protocol):
    """Text to vectors whose inner product says how alike two texts are.

    Duties:
        1. ``name`` identifies the vectors: two embedders of one name give the same vector for the
           same text, so it covers the weights as far as they can be known.
        2. A text's vector depends on that text alone, not on the batch it came in.
        3. Every row has length 1; there is a row for every ``str``, empty ones and lone surrogates
           included. A model cuts a text at its own limit.
        4. No work that a ``name`` does not need happens before the first ``embed``.
    """

    @property
    def name(self) -> str:
        """Identity of the vectors."""
        ...

    @property
    def dim(self) -> int:
        """Length of a vector."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of shape ``(len(texts), dim)``, float32.

        Raises:
            SqlmendError: The model cannot be had or gave something else.
        """
        ...
