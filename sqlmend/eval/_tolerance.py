"""Rows compared with a tolerance for numbers."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import Any

from sqlmend.eval._rows import Row


def near(a: Any, b: Any, tolerance: float) -> bool:
    """Equal, or two finite numbers with ``|a - b| <= tolerance * max(1, |a|, |b|)``."""
    if a == b:
        return True
    if not (_finite(a) and _finite(b)):
        return False
    return bool(abs(a - b) <= tolerance * max(1, abs(a), abs(b)))


def rows_near(a: Sequence[Row], b: Sequence[Row], tolerance: float) -> bool:
    """Whether the rows are near pairwise, cell by cell, in the order given."""
    return len(a) == len(b) and all(
        len(left) == len(right) and all(near(x, y, tolerance) for x, y in zip(left, right, strict=True))
        for left, right in zip(a, b, strict=True)
    )


class Snapping:
    """Numbers of several results, each mapped to the smallest of the chain of near ones it belongs to.

    Sorting rows by what they snap to keeps rows together that differ by rounding alone, so that
    pairing sorted rows does not depend on the last bits of an early column.
    """

    def __init__(self, results: Iterable[Sequence[Row]], tolerance: float) -> None:
        numbers = {cell for rows in results for row in rows for cell in row if _finite(cell)}
        self._start: dict[float, float] = {}
        previous = start = math.nan
        for number in sorted(numbers):
            if not near(previous, number, tolerance):
                start = number
            self._start[number] = start
            previous = number

    def row(self, row: Row) -> Row:
        """The row with every number replaced by the start of its chain."""
        return tuple(self._start[cell] if _finite(cell) else cell for cell in row)

    def sorted(self, rows: Iterable[Row]) -> list[Row]:
        """The rows, sorted by what they snap to and then by themselves."""
        return sorted(rows, key=lambda row: (_sort_key(self.row(row)), _sort_key(row)))

    def distinct(self, rows: Iterable[Row]) -> list[Row]:
        """One row, the smallest, of each set of rows that snap to the same one; sorted."""
        kept: dict[Row, Row] = {}
        for row in self.sorted(rows):
            kept.setdefault(self.row(row), row)
        return list(kept.values())


def _finite(cell: Any) -> bool:
    return isinstance(cell, int | float) and math.isfinite(cell)


def _sort_key(row: Row) -> tuple[tuple[int, Any], ...]:
    return tuple(_cell_key(cell) for cell in row)


def _cell_key(cell: Any) -> tuple[int, Any]:
    if cell is None:
        return 0, 0
    if isinstance(cell, int | float):
        return 1, cell
    return (2, cell) if isinstance(cell, str) else (3, cell)
