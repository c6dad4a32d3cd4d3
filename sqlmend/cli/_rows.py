"""Rows of a query as text for a terminal: side by side where there is room, else under each other."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from rich.cells import cell_len
from rich.table import Table

from sqlmend._text import for_terminal

if TYPE_CHECKING:
    from sqlmend.databases import Outcome

_NARROW = 8  # cells that a column can be read in, if it needs more
_FRAME = 3  # cells that rich draws around each


def plain(value: Any) -> Any:
    """A value of a row as JSON has it: blobs in hex, and no number that JSON lacks."""
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def rows_table(outcome: Outcome, most: int, width: int) -> Table:
    """The first ``most`` rows: a column each, or a line each where ``width`` cells are too few."""
    names = [for_terminal(name, 80) for name in outcome.columns]
    rows = [[_cell(value) for value in row] for row in outcome.rows[:most]]
    wanted = [max(map(cell_len, column)) for column in zip(names, *rows, strict=True)]
    if rows and sum(min(cells, _NARROW) + _FRAME for cells in wanted) + 1 > width:
        return _lines(names, rows)
    table = Table(*names)
    for row in rows:
        table.add_row(*row)
    return table


def _lines(names: list[str], rows: list[list[str]]) -> Table:
    table = Table(show_header=False)
    for row in rows:
        for name, cell in zip(names, row, strict=True):
            table.add_row(name, cell)
        table.add_section()
    return table


def _cell(value: Any) -> str:
    return "NULL" if value is None else for_terminal(str(plain(value)), 200)
