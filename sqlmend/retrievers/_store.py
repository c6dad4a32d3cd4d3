"""The disk part of an index: one folder, one embedder, one text format."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlmend._files import canonical_json, write_atomic
from sqlmend.errors import InputError
from sqlmend.retrievers._embedders import Embedder
from sqlmend.retrievers._lexicon import Lexicon
from sqlmend.retrievers._texts import TEXT_FORMAT
from sqlmend.retrievers._vectors import VectorStore

_LOCK_TIMEOUT_S = 60.0


@dataclass(frozen=True)
class Stored:
    """What the disk holds of one shelf, by entry id."""

    vectors: Mapping[str, NDArray[np.float32]] = field(default_factory=dict)
    tokens: Mapping[str, Sequence[str]] = field(default_factory=dict)


def shelf_name(kind: str, fields: str) -> str:
    """Where the entries of a kind stand as they are searched by one choice of fields."""
    return kind if fields == "all" else f"{kind}.{fields}"


class IndexStore:
    """Vectors and tokens in a folder that can be deleted at any time, on shelves, see :func:`shelf_name`.

    ``index.json`` says with which embedder and text format they were made. Several processes may use
    the folder; each holds its lock only while it reads or writes.

    Args:
        folder: The folder; made when something is written.
        embedder: What makes the vectors.

    Raises:
        InputError: It was built with another embedder.
    """

    def __init__(self, folder: Path, embedder: Embedder) -> None:
        self._folder = folder
        self._embedder = embedder
        self._vectors = VectorStore(folder / "vectors")
        self._lexicon = Lexicon(folder / "text")
        self._check()

    def load(self, live: Mapping[str, Set[str]]) -> dict[str, Stored]:
        """What is there, by shelf; all that is of no ``live`` id of its kind is deleted."""
        if not self._folder.exists():
            return {}
        with self._locked():
            vectors, tokens = self._vectors.load(), self._lexicon.load()
            stale = {shelf: found.keys() - _ids(live, shelf) for shelf, found in vectors.items()}
            if any(stale.values()):
                self._vectors.update({}, {shelf: ids for shelf, ids in stale.items() if ids})
            for shelf, found in tokens.items():
                kept = {key: words for key, words in found.items() if key in _ids(live, shelf)}
                if len(kept) < len(found):
                    self._lexicon.save(shelf, kept)
                    tokens[shelf] = kept
            shelves = vectors.keys() | tokens.keys()
            return {shelf: Stored(vectors.get(shelf, {}), tokens.get(shelf, {})) for shelf in shelves}

    def add_vectors(self, vectors: Mapping[str, Mapping[str, NDArray[np.float32]]]) -> None:
        """Add vectors, by shelf and id, all at once: opening Chroma takes longer than what it then does."""
        with self._locked():
            self._vectors.update(vectors)

    def save_tokens(self, shelf: str, tokens: Mapping[str, Sequence[str]]) -> None:
        """Replace the tokens of a shelf."""
        with self._locked():
            self._lexicon.save(shelf, tokens)

    @contextmanager
    def _locked(self) -> Iterator[None]:
        """Hold the folder; what was made in another text format, or is without a name, is gone then."""
        from filelock import FileLock, Timeout

        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            lock = FileLock(self._folder / ".lock")
            lock.acquire(timeout=_LOCK_TIMEOUT_S)
        except Timeout:
            raise InputError("index_locked", f"another process holds the index {self._folder}") from None
        except OSError as error:
            message = f"the index {self._folder} cannot be written: {error.strerror}"
            raise InputError("index_not_writable", message) from error
        try:
            if not self._check():
                for name in ("vectors", "text"):
                    shutil.rmtree(self._folder / name, ignore_errors=True)
                write_atomic(self._manifest, canonical_json(self._identity()) + "\n")
            yield
        finally:
            lock.release()

    @property
    def _manifest(self) -> Path:
        return self._folder / "index.json"

    def _identity(self) -> dict[str, Any]:
        return {"embedder": self._embedder.name, "text_format": TEXT_FORMAT}

    def _check(self) -> bool:
        """Whether what is there can be used; another embedder is an error, not a reason to delete."""
        try:
            found = json.loads(self._manifest.read_text("utf-8"))
        except (OSError, ValueError):
            return False
        if not isinstance(found, dict):
            return False
        theirs, ours = found.get("embedder"), self._embedder.name
        if theirs != ours:
            raise InputError(
                "other_embedder",
                f"the index {self._folder} was built with {theirs}, not with {ours}",
                hint=f"use that embedder, or delete {self._folder}: it is built anew from the memory",
            )
        return found == self._identity()


def _ids(live: Mapping[str, Set[str]], shelf: str) -> Set[str]:
    return live.get(shelf.partition(".")[0], frozenset())
