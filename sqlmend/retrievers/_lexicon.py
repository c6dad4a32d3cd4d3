"""Lexical text on disk, as a bm25s index."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlmend.retrievers._bm25 import K1, B

_logger = logging.getLogger(__name__)


class Lexicon:
    """The tokens of entries by id, one bm25s index for each shelf.

    An index is written whole, because bm25s cannot grow one. Its corpus holds ids and tokens, from
    which the exact scores' arrays are filled; ``bm25s.BM25.load(folder / shelf)`` opens it for a plain
    search over everything. The caller holds the lock.

    Args:
        folder: Where the indexes lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self) -> dict[str, dict[str, list[str]]]:
        """The tokens of each entry, by shelf and id. What is damaged is dropped with a warning."""
        if not self._folder.exists():
            return {}
        shelves = sorted(path.name for path in self._folder.iterdir() if not path.name.startswith("."))
        return {shelf: self._read(shelf) for shelf in shelves}

    def _read(self, shelf: str) -> dict[str, list[str]]:
        import bm25s

        folder = self._folder / shelf
        try:
            corpus = bm25s.BM25.load(folder, load_corpus=True, show_progress=False).corpus
            if not corpus:
                raise ValueError("no documents")
            return {document["id"]: document["tokens"] for document in corpus}
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
            _logger.warning("the text index %s is damaged and will be built anew: %s", folder, error)
            shutil.rmtree(folder, ignore_errors=True)
            return {}

    def save(self, shelf: str, tokens: Mapping[str, Sequence[str]]) -> None:
        """Replace the index of one shelf."""
        import bm25s

        folder, new = self._folder / shelf, self._folder / f".{shelf}.new"
        shutil.rmtree(new, ignore_errors=True)
        words = any(tokens.values())  # bm25s indexes nothing without one
        if words:
            index = bm25s.BM25(method="lucene", k1=K1, b=B)
            index.index([list(found) for found in tokens.values()], show_progress=False)
            corpus = [{"id": record_id, "tokens": list(found)} for record_id, found in tokens.items()]
            index.save(new, corpus=corpus, show_progress=False)
        shutil.rmtree(folder, ignore_errors=True)
        if words:
            new.rename(folder)
