"""Whether two tables are equal up to the order of their columns, in bounded time.

The general problem is as hard as the isomorphism of graphs, so the search has a bound. It is exact
below that: a column may stand only for columns with the same multiset of values, and identical columns
count as one, which settles most tables. Where different columns are still alike, colours of rows and
columns are refined together while they tell more, and what then is alike is tried out, each trial
refined again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

from sqlmend.eval._rows import Row

Places = tuple[int, ...]

#: Cells that a search may look at; a table that is larger may still be looked at this many times over.
MOST_CELLS = 1_000_000
MOST_PASSES = 6


class SearchLimitError(Exception):
    """The bound was reached before the search was through."""


def match_columns(reference: Sequence[Row], predicted: Sequence[Row], *, ordered: bool) -> Places | None:
    """For each column of ``reference`` the column of ``predicted`` that takes its place, or None.

    Args:
        reference: Rows of equal length, at least one.
        predicted: As many rows, of the same length.
        ordered: Rows are compared in order; otherwise as a multiset.

    Raises:
        SearchLimitError: Undecided within the bound.
    """
    columns = _turned(reference, predicted)
    if ordered:
        colours = _Colours(*columns)
        return None if _choices(columns, colours) is None else _places(colours)
    bag = Counter(reference)
    if bag == Counter(predicted):
        return tuple(range(len(columns[0])))
    numbers: dict[Hashable, int] = {}
    multisets = _Colours(
        *(
            tuple(numbers.setdefault(frozenset(Counter(column).items()), len(numbers)) for column in table)
            for table in columns
        )
    )
    choices = _choices(columns, multisets)
    if choices:
        return _Search(reference, predicted).explore(multisets)
    if choices is None:
        return None
    places = _places(multisets)
    return places if bag == Counter(_put(predicted, places)) else None


class _Colours(NamedTuple):
    """A colour for each row, or each column, of both tables: only equal colours can correspond."""

    left: tuple[Hashable, ...]
    right: tuple[Hashable, ...]

    @property
    def balanced(self) -> bool:
        """Whether both tables have every colour equally often."""
        return Counter(self.left) == Counter(self.right)


def _turned(*tables: Sequence[Row]) -> list[tuple[Row, ...]]:
    """Each table as its columns."""
    return [tuple(zip(*rows, strict=True)) for rows in tables]


def _choices(columns: Sequence[Sequence[Row]], colours: _Colours) -> list[tuple[list[int], list[int]]] | None:
    """Different columns of one colour, of both tables; None if the tables cannot correspond."""
    if not colours.balanced:
        return None
    alike: dict[Hashable, tuple[dict[Hashable, int], dict[Hashable, int]]] = {}
    for side in (0, 1):
        for place, (column, colour) in enumerate(zip(columns[side], colours[side], strict=True)):
            alike.setdefault(colour, ({}, {}))[side].setdefault(column, place)
    if any(len(ours) != len(theirs) for ours, theirs in alike.values()):
        return None
    return [(list(ours.values()), list(theirs.values())) for ours, theirs in alike.values() if len(ours) > 1]


def _places(colours: _Colours) -> Places:
    """Columns of equal colour put in each other's place."""
    free: dict[Hashable, list[int]] = {}
    for place, colour in enumerate(colours.right):
        free.setdefault(colour, []).append(place)
    return tuple(free[colour].pop() for colour in colours.left)


def _put(rows: Sequence[Row], places: Places) -> list[Row]:
    return [tuple(row[place] for place in places) for row in rows]


class _Search:
    """Refines and tries, on values and colours that are small numbers, equal ones in both tables."""

    def __init__(self, reference: Sequence[Row], predicted: Sequence[Row]) -> None:
        values: dict[Hashable, int] = {}
        self._rows = [
            [tuple(values.setdefault(cell, len(values)) for cell in row) for row in table]
            for table in (reference, predicted)
        ]
        self._columns = _turned(*self._rows)
        self._cells = 2 * len(reference) * len(reference[0])
        self._left = max(MOST_CELLS, MOST_PASSES * self._cells)

    def explore(self, columns: _Colours) -> Places | None:
        """The places that agree with these colours of columns, or None.

        Raises:
            SearchLimitError: The bound is reached.
        """
        rows = _Colours(*((0,) * len(table) for table in self._rows))
        known = 0
        while True:
            choices = _choices(self._columns, columns)
            if choices is None:
                return None
            if not choices:
                places = _places(columns)
                same = Counter(self._rows[0]) == Counter(_put(self._rows[1], places))
                return places if same else None
            rows = self._refined(rows, columns, self._rows)
            columns = self._refined(columns, rows, self._columns)
            if not rows.balanced:
                return None
            count = len({*rows.left}) + len({*columns.left})
            if count == known:
                break
            known = count
        ours, theirs = min(choices, key=lambda choice: len(choice[0]))
        for candidate in theirs:
            found = self.explore(_singled_out(columns, ours[0], candidate))
            if found is not None:
                return found
        return None

    def _refined(self, colours: _Colours, met: _Colours, tables: Sequence[Sequence[Row]]) -> _Colours:
        """Colours of rows split by the values in columns of each colour; or of columns, by those in rows."""
        self._left -= self._cells
        if self._left < 0:
            raise SearchLimitError
        numbers: dict[Hashable, int] = {}
        return _Colours(
            *(
                tuple(
                    numbers.setdefault((old, *sorted(zip(crossing, line, strict=True))), len(numbers))
                    for old, line in zip(own, table, strict=True)
                )
                for own, crossing, table in zip(colours, met, tables, strict=True)
            )
        )


def _singled_out(colours: _Colours, left: int, right: int) -> _Colours:
    """A pair of columns with a colour of its own."""
    return _Colours(
        *((*own[:place], -1, *own[place + 1 :]) for own, place in zip(colours, (left, right), strict=True))
    )
