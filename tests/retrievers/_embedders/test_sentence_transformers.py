from __future__ import annotations

import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from sqlmend.errors import InputError
from sqlmend.retrievers import Embedder, HashEmbedder, get_embedder
from sqlmend.retrievers._embedders._sentence_transformers import SentenceTransformers
from sqlmend.testing import EmbedderContract


class FakeModel:
    """The part of the library's class that is used."""

    def __init__(self, name: str) -> None:
        if name == "nobody/none":
            raise OSError("no such model")
        self.config = SimpleNamespace(_commit_hash=None if "/" not in name else "0123456789abcdef")

    def __getitem__(self, _: int) -> Any:
        return SimpleNamespace(auto_model=SimpleNamespace(config=self.config))

    def get_embedding_dimension(self) -> int:
        return 64

    def encode(self, texts: list[str], **_: Any) -> np.ndarray:
        return HashEmbedder().embed(texts) * 7


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> None:
    module = ModuleType("sentence_transformers")
    module.SentenceTransformer = FakeModel  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "sentence_transformers", module)


@pytest.mark.usefixtures("library")
class TestSentenceTransformers(EmbedderContract):
    def embedder(self) -> Embedder:
        return SentenceTransformers("BAAI/bge-large-en-v1.5")

    def test_the_name_holds_the_hub_commit(self) -> None:
        assert self.embedder().name == "st:BAAI/bge-large-en-v1.5@0123456789ab"

    def test_the_name_of_a_folder_holds_its_content(self, tmp_path: Path) -> None:
        (tmp_path / "model.safetensors").write_bytes(b"1")
        name = SentenceTransformers(str(tmp_path)).name
        assert SentenceTransformers(str(tmp_path)).name == name
        (tmp_path / "model.safetensors").write_bytes(b"2")
        assert SentenceTransformers(str(tmp_path)).name != name


@pytest.mark.usefixtures("library")
def test_an_unknown_model_is_named() -> None:
    with pytest.raises(InputError, match="could not load 'nobody/none': no such model"):
        SentenceTransformers("nobody/none").embed(["a"])


def test_a_missing_library_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    embedder = get_embedder("st:all-mpnet-base-v2")
    with pytest.raises(InputError, match=r"sqlmend\[sentence-transformers\]"):
        embedder.embed(["a"])
