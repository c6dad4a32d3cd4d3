from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from sqlmend._weights import get_pin, present
from sqlmend.retrievers import Embedder
from sqlmend.retrievers._embedders._minilm import MiniLM
from sqlmend.testing import EmbedderContract

needs_weights = pytest.mark.skipif(
    not (present(get_pin("minilm")) and present(get_pin("minilm-tokenizer"))),
    reason="needs the pinned MiniLM weights on disk (23 MB; `sqlmend models pull minilm`)",
)


@needs_weights
class TestMiniLM(EmbedderContract):
    def embedder(self) -> Embedder:
        return MiniLM()

    def test_knows_meaning(self) -> None:
        cat, kitten, error = self.embedder().embed(["a cat", "a small kitten", "no such column: foo"])
        assert cat @ kitten > 0.5 > cat @ error

    def test_pooling_is_that_of_the_published_model(self) -> None:
        # First numbers of the float model's vector for this text; int8 weights are close to it.
        vector = self.embedder().embed(["This is an example sentence"])[0]
        assert np.allclose(vector[:4], [0.0677, 0.0635, 0.0487, 0.0793], atol=0.01)

    def test_a_long_text_is_cut(self) -> None:
        cut, longer = self.embedder().embed(["word " * 254, "word " * 500])
        assert np.array_equal(cut, longer)


def test_the_name_needs_no_weights() -> None:
    code = "from sqlmend.retrievers import get_embedder; import sys; print(get_embedder('minilm').name)"
    code += "; assert 'onnxruntime' not in sys.modules"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "minilm@8199be6f699a\n"
