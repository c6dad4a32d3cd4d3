"""How what is remembered is recalled: embeddings and BM25 over causal views of a memory."""

from sqlmend.retrievers._embedders import Embedder, HashEmbedder, get_embedder
from sqlmend.retrievers._hybrid import HybridRetriever
from sqlmend.retrievers._index import MemoryIndex
from sqlmend.retrievers._policies import TYPE_POLICIES, TypePolicy
from sqlmend.retrievers._recalled import Pool, Recalled, Scored
from sqlmend.retrievers._settings import PoolSettings, RankSettings, RecallSettings
from sqlmend.retrievers._texts import RecallQuery, failure_context

__all__ = [
    "TYPE_POLICIES",
    "Embedder",
    "HashEmbedder",
    "HybridRetriever",
    "MemoryIndex",
    "Pool",
    "PoolSettings",
    "RankSettings",
    "RecallQuery",
    "RecallSettings",
    "Recalled",
    "Scored",
    "TypePolicy",
    "failure_context",
    "get_embedder",
]
