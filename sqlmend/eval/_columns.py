"""Whether two tables are equal up to the order of their columns, in bounded time.

The general problem is as hard as the isomorphism of graphs, so the search has a bound. It is exact
below that: colours of rows and columns are refined together until nothing changes (the first round
alone sorts columns by their multiset of values), identical columns count as one, and only what is
still alike is tried out, each trial refined again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from sqlmend.eval._rows import Row

#: Cells that a search may look at; a table that is larger may still be looked at this many times over.
MOST_CELLS = 1_000_000
MOST_PASSES = 40


class SearchLimitError(Exception):
    """The bound was reached before the search was through."""


def match_columns(
    reference: Sequence[Row], predicted: Sequence[Row], *, ordered: bool
) -> tuple[int, ...] | None:
    """For each column of ``reference`` the column of ``predicted`` that takes its place, or None.

    Args:
        reference: Rows of equal length, at least one.
        predicted: As many rows, of the same length.
        ordered: Rows are compared in order; otherwise as a multiset.

    Raises:
        SearchLimitError: Undecided within the bound.
    """
    if ordered:
        return _match_in_order(reference, predicted)
    values: dict[object, int] = {}
    left, right = _Table.of(reference, values), _Table.of(predicted, values)
    cells = len(left.columns) * (len(left.rows) + len(right.rows))
    return _Search(left, right, max(MOST_CELLS, MOST_PASSES * cells)).run()


def _match_in_order(reference: Sequence[Row], predicted: Sequence[Row]) -> tuple[int, ...] | None:
    places: dict[Row, list[int]] = {}
    for place, column in enumerate(zip(*predicted, strict=True)):
        places.setdefault(column, []).append(place)
    for candidates in places.values():
        candidates.reverse()
    try:
        return tuple(places[column].pop() for column in zip(*reference, strict=True))
    except (KeyError, IndexError):
        return None


@dataclass(frozen=True)
class _Table:
    """A bag of rows with values as numbers: distinct rows, how often each occurs, and the columns."""

    rows: tuple[tuple[int, ...], ...]
    counts: tuple[int, ...]
    columns: tuple[tuple[int, ...], ...]

    @classmethod
    def of(cls, rows: Sequence[Row], values: dict[object, int]) -> _Table:
        bag = Counter(tuple(values.setdefault(cell, len(values)) for cell in row) for row in rows)
        return cls(tuple(bag), tuple(bag.values()), tuple(zip(*bag, strict=True)))

    def equals(self, other: _Table, places: tuple[int, ...]) -> bool:
        """Whether ``other`` with its columns put in these places is the same bag of rows."""
        bag = dict(zip(self.rows, self.counts, strict=True))
        return len(self.rows) == len(other.rows) and all(
            bag.get(tuple(row[place] for place in places)) == count
            for row, count in zip(other.rows, other.counts, strict=True)
        )


@dataclass(frozen=True)
class _Colours:
    """A colour for every row and column of one table; equal colours in both tables may correspond."""

    rows: tuple[int, ...]
    columns: tuple[int, ...]


class _Search:
    def __init__(self, left: _Table, right: _Table, cells_left: int) -> None:
        self._left, self._right = left, right
        self._cells_left = cells_left

    def run(self) -> tuple[int, ...] | None:
        identity = tuple(range(len(self._left.columns)))
        if self._left.equals(self._right, identity):
            return identity
        plain = (0,) * len(identity)
        return self._explore(_Colours(self._left.counts, plain), _Colours(self._right.counts, plain))

    def _explore(self, left: _Colours, right: _Colours) -> tuple[int, ...] | None:
        """The places that agree with these colours, or None."""
        refined = self._refine(left, right)
        if refined is None:
            return None
        left, right = refined
        branch: tuple[int, list[int]] | None = None
        for colour in set(left.columns):
            ours = _distinct(self._left, left, colour)
            theirs = _distinct(self._right, right, colour)
            if len(ours) != len(theirs):
                return None
            if len(ours) > 1 and (branch is None or len(ours) < len(branch[1])):
                branch = ours[0], theirs
        if branch is None:
            places = _by_colour(left, right)
            return places if self._left.equals(self._right, places) else None
        column, candidates = branch
        for candidate in candidates:
            found = self._explore(_singled_out(left, column), _singled_out(right, candidate))
            if found is not None:
                return found
        return None

    def _refine(self, left: _Colours, right: _Colours) -> tuple[_Colours, _Colours] | None:
        """Split colours until nothing changes; None as soon as the two tables cannot correspond."""
        known = -1
        while True:
            self._pay()
            rows: dict[object, int] = {}
            row_colours = [
                tuple(
                    rows.setdefault((old, *sorted(zip(colours.columns, row, strict=True))), len(rows))
                    for old, row in zip(colours.rows, table.rows, strict=True)
                )
                for table, colours in ((self._left, left), (self._right, right))
            ]
            columns: dict[object, int] = {}
            column_colours = [
                tuple(
                    columns.setdefault((old, *sorted(zip(new_rows, column, strict=True))), len(columns))
                    for old, column in zip(colours.columns, table.columns, strict=True)
                )
                for table, colours, new_rows in (
                    (self._left, left, row_colours[0]),
                    (self._right, right, row_colours[1]),
                )
            ]
            if any(sorted(ours) != sorted(theirs) for ours, theirs in (row_colours, column_colours)):
                return None
            left, right = map(_Colours, row_colours, column_colours)
            if len(rows) + len(columns) == known:
                return left, right
            known = len(rows) + len(columns)

    def _pay(self) -> None:
        self._cells_left -= len(self._left.columns) * (len(self._left.rows) + len(self._right.rows))
        if self._cells_left < 0:
            raise SearchLimitError


def _distinct(table: _Table, colours: _Colours, colour: int) -> list[int]:
    """The columns of one colour, one for each set of identical ones."""
    first: dict[tuple[int, ...], int] = {}
    for place, own in enumerate(colours.columns):
        if own == colour:
            first.setdefault(table.columns[place], place)
    return list(first.values())


def _by_colour(left: _Colours, right: _Colours) -> tuple[int, ...]:
    places: dict[int, list[int]] = {}
    for place, colour in enumerate(right.columns):
        places.setdefault(colour, []).append(place)
    return tuple(places[colour].pop() for colour in left.columns)


def _singled_out(colours: _Colours, column: int) -> _Colours:
    fresh = max(colours.columns) + 1
    return _Colours(colours.rows, (*colours.columns[:column], fresh, *colours.columns[column + 1 :]))
