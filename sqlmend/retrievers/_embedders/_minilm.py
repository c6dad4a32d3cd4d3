"""The default embedder: all-MiniLM-L6-v2 as int8 ONNX, without PyTorch."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sqlmend._weights import fetch, get_pin
from sqlmend.retrievers._embedders._base import BaseEmbedder

_MAX_TOKENS = 256  # the model's own max_seq_length
_THREADS = 2


class MiniLM(BaseEmbedder):
    """Sentence vectors of 384 numbers; the pinned weights (23 MB) are fetched at the first text.

    The mean of the token vectors, as the model's own pooling says. A text is cut at 256 word pieces.
    Texts run one at a time: nothing in a batch can then move another text's vector.
    """

    @property
    def name(self) -> str:
        """The model and the start of its weights' sha256."""
        return f"minilm@{get_pin('minilm').sha256[:12]}"

    @property
    def dim(self) -> int:
        """Length of a vector."""
        return 384

    def _encode(self, texts: list[str]) -> NDArray[np.floating]:
        return np.stack([_pooled(text) for text in texts])


def _pooled(text: str) -> NDArray[np.floating]:
    ids = np.array([_tokenizer().encode(text).ids], dtype=np.int64)
    inputs = {"input_ids": ids, "attention_mask": np.ones_like(ids), "token_type_ids": np.zeros_like(ids)}
    (states,) = _session().run(["last_hidden_state"], inputs)
    return np.asarray(states[0].mean(axis=0, dtype=np.float64))


@cache
def _tokenizer() -> Any:
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(fetch(get_pin("minilm-tokenizer"))))
    tokenizer.no_padding()
    tokenizer.enable_truncation(_MAX_TOKENS)
    return tokenizer


@cache
def _session() -> Any:
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = _THREADS
    options.inter_op_num_threads = 1
    # Two spinning threads would take both cores from the language model between two texts.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    path = str(fetch(get_pin("minilm")))
    return onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
