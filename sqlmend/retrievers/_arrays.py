"""What scores are computed from: the entries as arrays in memory."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from sqlmend.retrievers._bm25 import Bm25


class EntryArrays:
    """Ids, failure types, vectors and tokens of entries, appended one by one and never changed.

    A retired entry keeps its row; it is no longer asked for.
    """

    def __init__(self) -> None:
        self._rows: dict[str, int] = {}
        self._labels = np.empty((2, 0), dtype=np.str_)
        self._new_labels: list[tuple[str, str]] = []
        self._vectors = np.empty((0, 1), dtype=np.float32)
        self._text = Bm25()

    def __contains__(self, record_id: str) -> bool:
        return record_id in self._rows

    def add(
        self, record_id: str, failure_type: str, vector: NDArray[np.float32], tokens: Sequence[str]
    ) -> None:
        """Append one entry."""
        row = len(self._rows)
        if row == len(self._vectors):  # double the room, so that appending stays cheap
            grown = np.zeros((max(64, 2 * row), len(vector)), dtype=np.float32)
            grown[:row] = self._vectors[:row]
            self._vectors = grown
        self._vectors[row] = vector
        self._new_labels.append((record_id, failure_type))
        self._text.add(tokens)
        self._rows[record_id] = row

    def rows(self, record_ids: Iterable[str]) -> NDArray[np.intp]:
        """The row of each entry.

        Raises:
            KeyError: An entry is not there.
        """
        return np.array(list(map(self._rows.__getitem__, record_ids)), dtype=np.intp)

    def ids(self, rows: NDArray[np.intp]) -> NDArray[np.str_]:
        """The id of each row."""
        ids: NDArray[np.str_] = self._all_labels()[0, rows]
        return ids

    def types(self, rows: NDArray[np.intp]) -> NDArray[np.str_]:
        """The failure type of each row."""
        types: NDArray[np.str_] = self._all_labels()[1, rows]
        return types

    def dense(self, query: NDArray[np.float32], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """Inner product of ``query`` with the vector of each row.

        By einsum's own loop over one row after the other: BLAS would give equal vectors different
        last bits by their place in the matrix, and ties would be no ties.
        """
        if not len(rows):
            return np.zeros(0)
        products: NDArray[np.float32] = np.einsum("ij,j->i", self._vectors[: len(self._rows)], query)
        return products[rows].astype(np.float64)

    def lexical(self, query: Sequence[str], rows: NDArray[np.intp]) -> NDArray[np.float64]:
        """BM25 score of each row, with the statistics of these rows."""
        return self._text.scores(query, rows)

    def _all_labels(self) -> NDArray[np.str_]:
        if self._new_labels:
            self._labels = np.concatenate([self._labels, np.array(self._new_labels).T], axis=1)
            self._new_labels = []
        return self._labels
