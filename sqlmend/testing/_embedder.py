"""What every embedder must do, as tests to inherit."""

from __future__ import annotations

import numpy as np

from sqlmend.retrievers import Embedder

_TEXTS = ["How many pets are there?", "SELECT count(*) FROM pets", "no such column: naem", "Wie viele?"]
_ODD = ["", " \n", "\0", "\ud800", "\u00e9\U0001f600", "a" * 20_000, "word " * 5_000]


class EmbedderContract:
    """Contract tests of an embedder.

    Inherit them in a class that pytest collects, and override :meth:`embedder`.
    """

    def embedder(self) -> Embedder:
        """A new embedder."""
        raise NotImplementedError

    def test_has_the_shape_of_an_embedder(self) -> None:
        """A name and the promised shape and type."""
        embedder = self.embedder()
        assert isinstance(embedder, Embedder)
        assert embedder.name and embedder.name == self.embedder().name
        vectors = embedder.embed(_TEXTS)
        assert vectors.shape == (len(_TEXTS), embedder.dim)
        assert vectors.dtype == np.float32

    def test_no_text_gives_no_row(self) -> None:
        """An empty list is no error."""
        embedder = self.embedder()
        assert embedder.embed([]).shape == (0, embedder.dim)

    def test_rows_have_length_one(self) -> None:
        """Inner products are cosines."""
        assert np.allclose(np.linalg.norm(self.embedder().embed(_TEXTS), axis=1), 1, atol=1e-5)

    def test_any_text_has_a_vector(self) -> None:
        """Empty, endless and undecodable text included."""
        vectors = self.embedder().embed(_ODD)
        assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)

    def test_a_vector_depends_on_its_text_alone(self) -> None:
        """Neither on the batch, nor on the order, nor on what was embedded before."""
        together = self.embedder().embed(_TEXTS)
        alone = np.concatenate([self.embedder().embed([text]) for text in _TEXTS])
        reverse = self.embedder().embed(_TEXTS[::-1])[::-1]
        assert np.array_equal(together, alone)
        assert np.array_equal(together, reverse)

    def test_equal_texts_have_equal_vectors(self) -> None:
        """Twice in one batch, and in a later call."""
        embedder = self.embedder()
        first, other, again = embedder.embed([_TEXTS[0], _TEXTS[1], _TEXTS[0]])
        assert np.array_equal(first, again)
        assert not np.array_equal(first, other)
        assert np.array_equal(embedder.embed([_TEXTS[0]])[0], first)
