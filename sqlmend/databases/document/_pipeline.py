"""What a query is compiled to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Pipeline:
    """An aggregation pipeline of a document store.

    Attributes:
        collection: The one collection that it reads.
        stages: The stages, plain values that ``pymongo`` takes as they are.
        columns: Names of the result's columns, as SQL names them.
        fields: The field of a result document that holds each column.
    """

    collection: str
    stages: tuple[Mapping[str, Any], ...]
    columns: tuple[str, ...]
    fields: tuple[str, ...]

    def row(self, document: Mapping[str, Any]) -> tuple[Any, ...]:
        """A result document as a row; a missing field is None."""
        return tuple(document.get(field) for field in self.fields)
