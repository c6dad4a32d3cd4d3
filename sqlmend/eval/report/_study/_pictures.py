"""Differences of a study as a picture."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend.eval.report._blocks import Figure, Table
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._charts import WIDE, Canvas, Interval, both, forest
from sqlmend.eval.report._study._read import Row, Study, estimate, interval, yes


def differences(
    title: str,
    rows: Sequence[tuple[str, Row]],
    study: Study,
    *,
    canvas: Canvas = WIDE,
    table: Table | None = None,
) -> Figure | None:
    """Differences with intervals below each other; None where there are none.

    Args:
        title: What they are.
        rows: Name and contrast of each; a name is there once.
        study: Where they come from.
        canvas: How much room there is on a screen.
        table: The numbers, where there are more than what is drawn.
    """
    if not rows:
        return None
    marks = [Interval(name, row["value"], row["low"], row["high"], row["separated"]) for name, row in rows]
    wide, narrow = both(lambda room: forest(marks, "difference in EX, points", room), canvas)
    words = [
        f"{name} {interval(row)}, {'separated' if row['separated'] else 'not separated'}"
        for name, row in rows
    ]
    alt = f"{title}, from paired answers to the same questions: {'; '.join(words)}."
    note = f"Filled: separated from zero. Hollow: not separated. {study.origin}"
    return Figure(title, alt, wide, narrow, table or _drawn(rows), note)


def _drawn(rows: Sequence[tuple[str, Row]]) -> Table:
    columns = [Column("Difference"), Column("EX", "points", "points"), Column("Separated")]
    cells = [[name, estimate(row), yes(row["separated"])] for name, row in rows]
    return Table("What is drawn", columns, cells)
