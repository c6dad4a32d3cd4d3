"""From a spec to an embedder."""

from __future__ import annotations

from functools import cache

from sqlmend.errors import InputError, unknown_name
from sqlmend.retrievers._embedders._hash import HashEmbedder
from sqlmend.retrievers._embedders._minilm import MiniLM
from sqlmend.retrievers._embedders._openai import OpenAIEmbedder
from sqlmend.retrievers._embedders._protocol import Embedder
from sqlmend.retrievers._embedders._sentence_transformers import SentenceTransformers

_FORMS = ("minilm", "st:NAME", "openai:MODEL@URL", "hash")


@cache
def get_embedder(spec: str) -> Embedder:
    """The embedder of that spec; the same object for the same spec, so that a model is loaded once.

    Args:
        spec: ``minilm`` (the default of the command line), ``st:NAME`` (any sentence-transformers
            model), ``openai:MODEL@URL`` (an OpenAI-compatible endpoint, e.g.
            ``openai:bge-m3@http://127.0.0.1:8000/v1``), or ``hash`` (no model; for tests).

    Raises:
        InputError: It is none of these.
    """
    kind, _, argument = spec.partition(":")
    match kind, argument:
        case "minilm", "":
            return MiniLM()
        case "hash", "":
            return HashEmbedder()
        case "st", name if name:
            return SentenceTransformers(name)
        case "openai", endpoint:
            model, _, url = endpoint.rpartition("@")
            if model and url.startswith(("http://", "https://")):
                return OpenAIEmbedder(model, url)
    if kind in ("minilm", "hash", "st", "openai"):
        raise InputError("bad_embedder", f"not an embedder: {spec!r}", hint=f"expected {', '.join(_FORMS)}")
    raise unknown_name("embedder", spec, _FORMS)
