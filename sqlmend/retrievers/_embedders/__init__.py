"""Embedders: text to unit vectors."""

from sqlmend.retrievers._embedders._get import get_embedder
from sqlmend.retrievers._embedders._hash import HashEmbedder
from sqlmend.retrievers._embedders._protocol import Embedder, Vectors

__all__ = ["Embedder", "HashEmbedder", "Vectors", "get_embedder"]
