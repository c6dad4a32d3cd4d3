"""The index of a memory: on disk to be quick, in memory to be exact."""

from __future__ import annotations

import logging
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
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
from sqlmend.retrievers._store import IndexStore, Stored, shelf_name
from sqlmend.retrievers._texts import ENTRY_TEXTS, EntryTexts, entry_texts

_log = logging.getLogger(__name__)

_BATCH = 64


@dataclass
class _Shelf:
    """The entries of one kind, as one choice of fields searches them.

    Attributes:
        kind: The kind.
        fields: The choice of fields.
        texts: Their texts.
        stored: What the disk had of it and nobody has taken in yet.
        saved_text: Ids whose tokens are on disk.
        unsaved: Vectors that are not on disk yet, by id.
    """

    kind: str
    fields: str
    texts: EntryTexts
    stored: Stored
    saved_text: set[str]
    unsaved: dict[str, NDArray[np.float32]] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Its name on disk."""
        return shelf_name(self.kind, self.fields)

    def tokens(self, record: Record) -> list[str]:
        """What BM25 sees of an entry."""
        return tokenize(self.texts.lexical(record.entry))


class MemoryIndex:
    """Vectors and tokens of a memory's entries, kept up with its log.

    Each kind is indexed by the choices of fields that it is located by, and by no other: each on a shelf of
    its own, so that a choice never reads what another has made.

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
        self._arrays: defaultdict[str, EntryArrays] = defaultdict(EntryArrays)  # by choice of fields
        self._shelves: dict[str, _Shelf] = {}  # those that were asked for, by name
        self._on_disk: dict[str, Stored] | None = None  # the others, by name; None until the disk was read

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

    def locate(self, records: Sequence[Record], fields: str = "all") -> tuple[EntryArrays, NDArray[np.intp]]:
        """The arrays of a choice of fields and the row of each record in them; what is new is taken in first.

        Raises:
            InputError: A record's kind has no such choice.
        """
        ids = [record.id for record in records]
        arrays = self._arrays[fields]
        try:
            return arrays, arrays.rows(ids)
        except KeyError:
            self.sync(dict.fromkeys(record.kind for record in records), fields)
            return arrays, arrays.rows(ids)

    def sync(self, kinds: Iterable[str] = (), fields: str = "all") -> None:
        """Take in what the memory has and this has not, of all that was asked for before.

        Args:
            kinds: Kinds that are asked for now; :meth:`locate` asks for those of its records.
            fields: The choice of fields that these are searched by.

        Raises:
            InputError: A kind has no such choice.
        """
        opened = []
        for kind in kinds:
            name, texts = shelf_name(kind, fields), entry_texts(kind, fields)
            if name not in self._shelves:
                stored = self._stored(name)
                self._shelves[name] = _Shelf(kind, fields, texts, stored, set(stored.tokens))
                opened.append(self._shelves[name])
        for shelf in self._shelves.values():
            self._take_in(shelf)
        for shelf in opened:
            self._save_text(shelf)

    def close(self) -> None:
        """Write what is not on disk yet. The index can be used on."""
        self._save_vectors()
        for shelf in self._shelves.values():
            self._save_text(shelf)

    def _stored(self, name: str) -> Stored:
        if self._on_disk is None:
            self._on_disk = self._store.load({kind: self._live(kind) for kind in ENTRY_TEXTS})
        return self._on_disk.pop(name, Stored())

    def _live(self, kind: str) -> set[str]:
        return {record.id for record in self._memory.records(kind)}

    def _take_in(self, shelf: _Shelf) -> None:
        arrays = self._arrays[shelf.fields]
        known = shelf.stored
        new = [record for record in self._memory.records(shelf.kind) if record.id not in arrays]
        for start in range(0, len(new), _BATCH):
            batch = new[start : start + _BATCH]
            missing = [record for record in batch if record.id not in known.vectors]
            vectors = self._embedder.embed([shelf.texts.dense(record.entry) for record in missing])
            made = {record.id: vector for record, vector in zip(missing, vectors, strict=True)}
            for record in batch:
                vector = made[record.id] if record.id in made else known.vectors[record.id]
                tokens = known.tokens.get(record.id) or shelf.tokens(record)
                arrays.add(record.id, record.entry.failure_type, vector, tokens)
            shelf.unsaved.update(made)
            if len(shelf.unsaved) >= _BATCH:
                self._save_vectors()
        shelf.stored = Stored()

    def _save_vectors(self) -> None:
        unsaved = {shelf.name: shelf.unsaved for shelf in self._shelves.values() if shelf.unsaved}
        if unsaved:
            try:
                self._store.add_vectors(unsaved)
            except Exception as error:  # noqa: BLE001 - Chroma raises what its parts raise
                # What is on disk is disposable: the run goes on, and the next one embeds these again.
                lost = sum(map(len, unsaved.values()))
                _log.warning("%d vectors could not be kept on disk: %s", lost, error)
            for shelf in self._shelves.values():
                shelf.unsaved = {}

    def _save_text(self, shelf: _Shelf) -> None:
        live = self._live(shelf.kind)
        if shelf.saved_text != live:
            records = self._memory.records(shelf.kind)
            self._store.save_tokens(shelf.name, {record.id: shelf.tokens(record) for record in records})
            shelf.saved_text = live
