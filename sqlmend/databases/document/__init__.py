"""A document store asked in SQL: a compiler to aggregation pipelines that refuses by name what it cannot do.

Needs the extra ``document`` (sqlglot, pymongo).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from sqlmend._extras import require
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

_lazy = lazy_exports(
    __name__,
    {"DocumentDatabase": "_database", "compile_query": "_compile", "embedded_store": "_embedded"},
)


def __getattr__(name: str) -> Any:
    if name in __all__:
        require("sqlglot", extra="document")
    return _lazy(name)
