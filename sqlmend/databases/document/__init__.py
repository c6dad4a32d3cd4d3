"""A document store asked in SQL: a compiler to aggregation pipelines that refuses by name what it cannot do.

Compiling needs nothing more; running takes the extra ``document`` (pymongo).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmend._lazy import lazy_exports
from sqlmend.databases.document._pipeline import Pipeline
from sqlmend.databases.document._refusal import CONSTRUCTS, UnsupportedTranslation

if TYPE_CHECKING:
    from sqlmend.databases.document._compile import compile_query
    from sqlmend.databases.document._database import DocumentDatabase
    from sqlmend.databases.document._embedded import embedded_store

__all__ = [
    "CONSTRUCTS",
    "DocumentDatabase",
    "Pipeline",
    "UnsupportedTranslation",
    "compile_query",
    "embedded_store",
]

# These need sqlglot or pymongo.
__getattr__ = lazy_exports(
    __name__,
    {"DocumentDatabase": "_database", "compile_query": "_compile", "embedded_store": "_embedded"},
)
