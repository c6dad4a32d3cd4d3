"""Tables as CSV that a spreadsheet can open without running any of it."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence
from typing import Any

from sqlmend._text import for_terminal

#: A spreadsheet takes a cell that begins so for a formula (the full-width forms too, in some locales).
_FORMULA = tuple("=+-@\t\r\n＝＋－＠")


def csv_text(header: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """Rows as CSV text.

    Numbers stay numbers and None is an empty cell; text that a spreadsheet would read as a formula gets
    an apostrophe before it, control characters are written as codes.

    Args:
        header: Names of the columns.
        rows: Cells of each row.
    """
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow([_inert(name) for name in header])
    for row in rows:
        writer.writerow([_inert(cell) for cell in row])
    return file.getvalue()


def _inert(cell: Any) -> Any:
    if not isinstance(cell, str):
        return cell
    shown = for_terminal(cell, 20_000)
    # A spreadsheet may trim what stands before the sign.
    return f"'{shown}" if cell.startswith(_FORMULA) or shown.lstrip().startswith(_FORMULA) else shown
