"""BM25 over any part of a growing collection, exact for that part."""

from __future__ import annotations

import re
from array import array
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

K1 = 1.5
B = 0.75
_TOKEN = re.compile(r"[a-z0-9_]+")


def tokenize(text: str) -> list[str]:
    """Runs of ASCII letters, digits and ``_`` of the lower-cased text."""
    return _TOKEN.findall(text.lower())


class Bm25:
    """An inverted index that documents are appended to, scored with the statistics of a selection.

    The variant is Lucene's: ``ln(1 + (N - df + 0.5) / (df + 0.5)) * tf / (tf + k1 (1 - b + b l / L))``
    with N, df and the mean length L of the selected documents; ``bm25s`` calls it ``lucene``.
    """

    def __init__(self) -> None:
        self._postings: dict[str, tuple[array[int], array[int]]] = {}
        self._lengths = array("q")

    def __len__(self) -> int:
        return len(self._lengths)

    def add(self, tokens: Sequence[str]) -> None:
        """Append a document; its number is the count of documents before it."""
        number = len(self._lengths)
        for token, count in Counter(tokens).items():
            documents, counts = self._postings.setdefault(token, (array("q"), array("q")))
            documents.append(number)
            counts.append(count)
        self._lengths.append(len(tokens))

    def scores(self, query: Sequence[str], documents: NDArray[np.intp]) -> NDArray[np.float64]:
        """The score of each of the selected documents.

        Args:
            query: Tokens; a token that occurs twice counts twice.
            documents: Distinct numbers of the selected documents.

        Returns:
            One score for each of ``documents``, in their order.
        """
        size = len(documents)
        terms = [(times, *self._postings[t]) for t, times in Counter(query).items() if t in self._postings]
        if not size or not terms:
            return np.zeros(size)
        lengths = np.frombuffer(self._lengths, dtype=np.int64)[documents]
        place = np.full(len(self), -1)
        place[documents] = np.arange(size)
        # All postings of all terms in one row: for each its term, its document's place, its count.
        term = np.repeat(np.arange(len(terms)), [len(found) for _, found, _ in terms])
        at = place[np.concatenate([np.frombuffer(found, dtype=np.int64) for _, found, _ in terms])]
        count = np.concatenate([np.frombuffer(counts, dtype=np.int64) for _, _, counts in terms])
        selected = at >= 0
        term, at, count = term[selected], at[selected], count[selected]
        if not len(at):
            return np.zeros(size)
        frequency = np.bincount(term, minlength=len(terms))
        weight = np.log1p((size - frequency + 0.5) / (frequency + 0.5)) * [times for times, _, _ in terms]
        saturation = K1 * (1 - B + B * lengths / lengths.mean())
        scores = weight[term] * count / (count + saturation[at])
        return np.bincount(at, weights=scores, minlength=size).astype(np.float64, copy=False)
