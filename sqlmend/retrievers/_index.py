"""The index of a memory: on disk to be quick, in memory to be exact."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import numpy as np
from numpy.typing import NDArray

from sqlmend.errors import InputError
from sqlmend.memory import Memory, Record
from sqlmend.retrievers._arrays import EntryArrays
from sqlmend.retrievers._bm25 import tokenize
from sqlmend.retrievers._embedders import Embedder
from sqlmend.retrievers._store import IndexStore, Stored
from sqlmend.retrievers._texts import ENTRY_TEXTS

_log = logging.getLogger(__name__)

_KINDS = tuple(ENTRY_TEXTS)
_BATCH = 64


class MemoryIndex:
    """Vectors and tokens of a memory's entries, kept up with its log.

    On disk it is disposable: vectors in Chroma, text in a bm25s index. What the log has and the disk
    has not is embedded; what the log no longer has is dropped; damage and another text format mean
    that it is built anew. Scores are exact: they come from arrays in memory. New vectors are written
    every 64 entries and at :meth:`close`, the text at :meth:`close`; what a killed process did not
    write is made again.

    Args:
        memory: The memory, open for reading or writing.
        folder: Where the index lies, outside the memory's folder; made when something is written.
        embedder: What makes the vectors.

    Raises:
        InputError: The folder is in the memory's, or was built with another embedder.
    """

    def __init__(self, memory: Memory, folder: Path | str, embedder: Embedder) -> None:
        folder = Path(folder).resolve()
        if folder.is_relative_to(memory.path):
            raise InputError("bad_index_folder", f"the index {folder} must lie outside the memory")
        self._memory = memory
        self._embedder = embedder
        self._store = IndexStore(folder, embedder)
        self._arrays = EntryArrays()
        self._unsaved: dict[str, dict[str, NDArray[np.float32]]] = {kind: {} for kind in _KINDS}
        self._saved_text: dict[str, set[str]] = {}  # ids by kind; empty until the disk was read

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def embed(self, text: str) -> NDArray[np.float32]:
        """The vector of a query."""
        vector: NDArray[np.float32] = self._embedder.embed([text])[0]
        return vector

    def locate(self, records: Sequence[Record]) -> tuple[EntryArrays, NDArray[np.intp]]:
        """The arrays and the row of each record in them; what is new is taken in first."""
        ids = [record.id for record in records]
        try:
            return self._arrays, self._arrays.rows(ids)
        except KeyError:
            self.sync()
            return self._arrays, self._arrays.rows(ids)

    def sync(self) -> None:
        """Take in what the memory has and this has not; :meth:`locate` does it where it must."""
        if self._saved_text:
            self._take_in({})
            return
        stored = self._store.load({kind: self._live(kind) for kind in _KINDS})
        self._saved_text = {kind: set(found.tokens) for kind, found in stored.items()}
        self._take_in(stored)
        self._save_text()

    def close(self) -> None:
        """Write what is not on disk yet. The index can be used on."""
        if self._saved_text:
            self._save_vectors()
            self._save_text()

    def _live(self, kind: str) -> set[str]:
        return {record.id for record in self._memory.records(kind)}

    def _take_in(self, stored: dict[str, Stored]) -> None:
        for kind in _KINDS:
            known = stored.get(kind, Stored())
            new = [record for record in self._memory.records(kind) if record.id not in self._arrays]
            for start in range(0, len(new), _BATCH):
                batch = new[start : start + _BATCH]
                missing = [record for record in batch if record.id not in known.vectors]
                vectors = self._embedder.embed([ENTRY_TEXTS[kind].dense(record.entry) for record in missing])
                made = {record.id: vector for record, vector in zip(missing, vectors, strict=True)}
                for record in batch:
                    vector = made[record.id] if record.id in made else known.vectors[record.id]
                    tokens = known.tokens.get(record.id) or _tokens(record)
                    self._arrays.add(record.id, record.entry.failure_type, vector, tokens)
                self._unsaved[kind].update(made)
                if len(self._unsaved[kind]) >= _BATCH:
                    self._save_vectors()

    def _save_vectors(self) -> None:
        unsaved = {kind: vectors for kind, vectors in self._unsaved.items() if vectors}
        if unsaved:
            try:
                self._store.add_vectors(unsaved)
            except Exception as error:  # noqa: BLE001 - Chroma raises what its parts raise
                # What is on disk is disposable: the run goes on, and the next one embeds these again.
                lost = sum(map(len, unsaved.values()))
                _log.warning("%d vectors could not be kept on disk: %s", lost, error)
            self._unsaved = {kind: {} for kind in _KINDS}

    def _save_text(self) -> None:
        for kind in _KINDS:
            if self._saved_text[kind] != self._live(kind):
                self._store.save_tokens(kind, {r.id: _tokens(r) for r in self._memory.records(kind)})
                self._saved_text[kind] = self._live(kind)


def _tokens(record: Record) -> list[str]:
    return tokenize(ENTRY_TEXTS[record.kind].lexical(record.entry))
