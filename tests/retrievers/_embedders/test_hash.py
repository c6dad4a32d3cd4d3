from __future__ import annotations

from sqlmend.retrievers import Embedder, HashEmbedder
from sqlmend.testing import EmbedderContract


class TestHashEmbedder(EmbedderContract):
    def embedder(self) -> Embedder:
        return HashEmbedder()

    def test_shared_words_make_texts_alike(self) -> None:
        a, b, c = self.embedder().embed(["count the pets", "Count all pets", "nothing in common"])
        assert a @ b > a @ c
