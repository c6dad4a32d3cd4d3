"""Any model that the sentence-transformers library knows by name."""

from __future__ import annotations

import hashlib
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlmend._extras import require
from sqlmend._files import sha256_file
from sqlmend._text import cap
from sqlmend.errors import InputError
from sqlmend.retrievers._embedders._base import BaseEmbedder


class SentenceTransformers(BaseEmbedder):
    """A sentence-transformers model; the library loads it when its name or a text is needed.

    A text is cut at the model's ``max_seq_length``. Texts run one at a time, because padding in a
    batch moves the last bits.

    Args:
        model: Name on the model hub, or a folder, e.g. ``BAAI/bge-large-en-v1.5``.

    Raises:
        InputError: The library is not installed, or does not find the model (when it is needed).
    """

    def __init__(self, model: str) -> None:
        super().__init__()
        self._model_name = model

    @cached_property
    def name(self) -> str:
        """The model's name and which weights these are: the hub's commit, or a hash of the folder's files."""
        return f"st:{self._model_name}@{self._weights[:12]}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return int(self._model.get_embedding_dimension())

    def _encode(self, texts: list[str]) -> NDArray[np.floating]:
        return np.asarray(
            self._model.encode(texts, batch_size=1, show_progress_bar=False, convert_to_numpy=True)
        )

    @cached_property
    def _model(self) -> Any:
        library = require("sentence_transformers", extra="sentence-transformers")
        try:
            return library.SentenceTransformer(self._model_name)
        except (OSError, ValueError) as error:
            raise InputError(
                "embedder_unavailable",
                f"sentence-transformers could not load {self._model_name!r}: {cap(str(error), 500)}",
                hint="is it a model's name on the hub, or a folder that holds one?",
            ) from error

    @property
    def _weights(self) -> str:
        folder = Path(self._model_name)
        if not folder.is_dir():
            commit = getattr(self._model[0].auto_model.config, "_commit_hash", None)
            return commit or "unknown"
        digest = hashlib.sha256()
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            digest.update(f"{path.relative_to(folder).as_posix()} {sha256_file(path)}\n".encode())
        return digest.hexdigest()
