"""Vectors on disk, in Chroma."""

from __future__ import annotations

import contextlib
import logging
import shutil
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

_logger = logging.getLogger(__name__)
_BATCH = 1000  # below Chroma's own limit


class VectorStore:
    """Vectors by entry id, one Chroma collection for each shelf.

    Chroma is open only while something is read or written: it takes a quarter of a second and a
    dozen threads, and several processes may share the folder this way. The caller holds the lock.

    Args:
        folder: Chroma's folder.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def load(self) -> dict[str, dict[str, NDArray[np.float32]]]:
        """All vectors, by shelf and id. What is damaged is dropped with a warning."""
        if not self._sound():
            _logger.warning("the vectors in %s are damaged and will be built anew", self._folder)
            shutil.rmtree(self._folder)
        if not self._folder.exists():
            return {}
        with self._open() as client:
            shelves = sorted(collection.name for collection in client.list_collections())
            return {shelf: _read(client, shelf) for shelf in shelves}

    def update(
        self,
        vectors: Mapping[str, Mapping[str, NDArray[np.float32]]],
        stale: Mapping[str, Iterable[str]] | None = None,
    ) -> None:
        """Add vectors, by shelf and id, and drop those of the ``stale`` ids of a shelf."""
        with self._open() as client:
            for shelf, ids in (stale or {}).items():
                gone, collection = list(ids), _collection(client, shelf)
                for start in range(0, len(gone), _BATCH):
                    collection.delete(ids=gone[start : start + _BATCH])
            for shelf, new in vectors.items():
                names, collection = list(new), _collection(client, shelf)
                for start in range(0, len(names), _BATCH):
                    batch = names[start : start + _BATCH]
                    collection.upsert(ids=batch, embeddings=np.stack([new[name] for name in batch]))

    def _sound(self) -> bool:
        """Whether SQLite can read the file; Chroma keeps a broken client for the process if it cannot."""
        path = self._folder / "chroma.sqlite3"
        if not path.exists():
            return not self._folder.exists()
        try:
            with contextlib.closing(
                sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
            ) as database:
                return bool(database.execute("PRAGMA quick_check").fetchone() == ("ok",))
        except sqlite3.DatabaseError:
            return False

    @contextlib.contextmanager
    def _open(self) -> Iterator[Any]:
        import chromadb
        from chromadb.config import Settings

        client = chromadb.PersistentClient(str(self._folder), settings=Settings(anonymized_telemetry=False))
        try:
            yield client
        finally:
            client.close()


def _collection(client: Any, shelf: str) -> Any:
    return client.get_or_create_collection(
        shelf, embedding_function=None, configuration={"hnsw": {"space": "ip"}}
    )


def _read(client: Any, shelf: str) -> dict[str, NDArray[np.float32]]:
    from chromadb.errors import ChromaError

    try:
        found = _collection(client, shelf).get(include=["embeddings"])
    except ChromaError as error:
        _logger.warning("the %s vectors are damaged and will be built anew: %s", shelf, error)
        client.delete_collection(shelf)
        return {}
    return dict(zip(found["ids"], np.asarray(found["embeddings"], dtype=np.float32), strict=True))
