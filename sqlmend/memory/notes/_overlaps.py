"""Token sets by token, so that the overlaps of one with a hundred thousand are a few sums of arrays."""

from __future__ import annotations

import math
from array import array
from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: A token that so many sets hold has a row of zeros and ones; a rarer one has a list of places.
_DENSE = 4096


class Overlaps:
    """Many token sets, numbered in the order in which they were added, and their overlap with another one."""

    def __init__(self) -> None:
        self._length = 0
        self._sizes = np.zeros(64, np.int32)
        self._places: dict[str, array[int]] = {}
        self._rows: dict[str, NDArray[np.uint8]] = {}

    def __len__(self) -> int:
        return self._length

    def add(self, tokens: frozenset[str]) -> None:
        """Take in one set."""
        place = self._length
        if place == len(self._sizes):
            self._sizes = _doubled(self._sizes)
            self._rows = {token: _doubled(row) for token, row in self._rows.items()}
        for token in tokens:
            if (row := self._rows.get(token)) is not None:
                row[place] = 1
            elif (places := self._places.get(token)) is None:
                self._places[token] = array("i", [place])
            else:
                places.append(place)
                if len(places) >= _DENSE:
                    self._rows[token] = self._row(self._places.pop(token))
        self._sizes[place] = len(tokens)
        self._length += 1

    def near(self, tokens: frozenset[str], threshold: float) -> Iterator[tuple[float, int]]:
        """Jaccard overlap and number of the sets that reach the threshold: best first, then latest first."""
        shared: NDArray[Any] = np.zeros(len(self._sizes), np.uint8 if len(tokens) < 256 else np.int32)
        for token in tokens:
            if (row := self._rows.get(token)) is not None:
                shared += row
            elif (places := self._places.get(token)) is not None:
                shared[np.frombuffer(places, np.int32)] += 1
        # A set that overlaps so much shares at least this part of the tokens.
        least = math.ceil(threshold * len(tokens) - 1e-9)
        numbers = np.flatnonzero(shared >= shared.dtype.type(least))
        common = shared[numbers].astype(np.int32)
        scores = common / (len(tokens) + self._sizes[numbers] - common)
        enough = scores >= threshold
        numbers, scores = numbers[enough], scores[enough]
        for place in np.lexsort((-numbers, -scores)):
            yield float(scores[place]), int(numbers[place])

    def _row(self, places: array[int]) -> NDArray[np.uint8]:
        row = np.zeros(len(self._sizes), np.uint8)
        row[np.frombuffer(places, np.int32)] = 1
        return row


def _doubled(values: NDArray[Any]) -> NDArray[Any]:
    return np.concatenate([values, np.zeros_like(values)])
