"""Lexical text on disk, as a bm25s index."""

from __future__ import annotations

import logging
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path

from sqlmend.retrievers._bm25 import K1, B

_logger = logging.getLogger(__name__)


class Lexicon:
    """The tokens of entries by id, one bm25s index for each kind of entry.

    An index is written whole, because bm25s cannot grow one. Its corpus holds ids and tokens, from
    which the exact scores' arrays are filled; ``bm25s.BM25.load(folder / kind)`` opens it for a plain
    search over everything. The caller holds the lock.

    Args:
        folder: Where the indexes lie.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self, kind: str) -> dict[str, list[str]]:
        """The tokens of each entry of one kind, by id; nothing where there is no index that can be read."""
        import bm25s

        folder = self._folder / kind
        if not folder.exists():
            return {}
        try:
            corpus = bm25s.BM25.load(folder, load_corpus=True, show_progress=False).corpus
            return {document["id"]: document["tokens"] for document in corpus}
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError) as error:
            _logger.warning("the text index %s is damaged and will be built anew: %s", folder, error)
            return {}

    def save(self, kind: str, tokens: Mapping[str, Sequence[str]]) -> None:
        """Replace the index of one kind."""
        import bm25s

        folder, new = self._folder / kind, self._folder / f".{kind}.new"
        shutil.rmtree(new, ignore_errors=True)
        if tokens:
            index = bm25s.BM25(method="lucene", k1=K1, b=B)
            index.index([list(found) for found in tokens.values()], show_progress=False)
            corpus = [{"id": record_id, "tokens": list(found)} for record_id, found in tokens.items()]
            index.save(new, corpus=corpus, show_progress=False)
        shutil.rmtree(folder, ignore_errors=True)
        if tokens:
            new.rename(folder)
