"""What scores are computed from: the entries of one kind as arrays in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sqlmend.retrievers._bm25 import Bm25


class EntryArrays:
    """Vectors, tokens and failure types of entries, appended one by one and never changed.

    A retired entry keeps its row; it is no longer asked for.
    """

    def __init__(self) -> None:
        self.text = Bm25()
        self._rows: dict[str, int] = {}
        self._vectors = np.zeros((0, 0), dtype=np.float32)

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._rows

    def add(self, record_id: str, vector: NDArray[np.float32], tokens: Sequence[str]) -> None:
        """Append one entry."""
        row = len(self._rows)
        if row == len(self._vectors):  # double the room, so that appending stays cheap
            grown = np.zeros((max(64, 2 * row), len(vector)), dtype=np.float32)
            if row:
                grown[:row] = self._vectors
            self._vectors = grown
        self._vectors[row] = vector
        self.text.add(tokens)
        self._rows[record_id] = row

    def rows(self, record_ids: Iterable[str]) -> NDArray[np.intp]:
        """The row of each entry.

        Raises:
            KeyError: An entry is not there.
        """
        return np.array([self._rows[record_id] for record_id in record_ids], dtype=np.intp)

    def dense(self, query: NDArray[np.float32], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Inner product of ``query`` with the vector of each row.

        Summed row by row: BLAS would give equal vectors different last bits by their place in the
        matrix, and ties would be no ties.
        """
        if not len(rows):
            return np.zeros(0)
        products: NDArray[np.float32] = (self._vectors[rows] * query).sum(axis=1)
        return products.astype(np.float64)
