"""Rows of a result, as the definitions see them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

Row: TypeAlias = tuple[Any, ...]


def holds_undecodable_text(rows: Iterable[Row]) -> bool:
    """Whether a cell holds text that is not UTF-8: it was decoded with ``surrogateescape``."""
    return any(isinstance(cell, str) and not _encodable(cell) for row in rows for cell in row)


def _encodable(text: str) -> bool:
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
