"""Bars by failure type, difficulty, SQL feature and database."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmend.eval.report._blocks import Figure, Section, Table, Words
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._charts import Bar, bars, both
from sqlmend.eval.report._compare._read import Results, Row

_TITLES = {
    "failure_type": "By initial failure type",
    "difficulty": "By difficulty",
    "feature": "By SQL feature of the initial query",
    "database": "By database",
}
_MOST = 16  # classes in a picture; the table has all


def breakdowns(results: Results) -> Section:
    """One figure for each way of dividing the questions."""
    rows = results.document["breakdowns"]
    kinds = [*_TITLES, *sorted({row["by"] for row in rows} - _TITLES.keys())]
    figures = [_figure(results, by, [row for row in rows if row["by"] == by]) for by in kinds]
    blocks = [figure for figure in figures if figure is not None]
    return Section("By kind of question", "kinds", blocks or [Words("No run is finished yet.")])


def _figure(results: Results, by: str, rows: list[Row]) -> Figure | None:
    values = list(dict.fromkeys(row["value"] for row in rows))
    if not any(values):
        return None
    measure, title = ("repair_rate", "repaired share") if by == "failure_type" else ("ex_after", "EX")
    found = {(row["value"], row["program"], row["same_group"]): row for row in rows}
    sizes = {
        value: max(row["n"] / max(1, len(row["orders"])) for row in rows if row["value"] == value)
        for value in values
    }
    drawn = sorted(values, key=lambda value: -sizes[value])[:_MOST] if len(values) > _MOST else values
    marks = list(_marks(results, by, found, {value: sizes[value] for value in drawn}, measure))
    wide, narrow = both(lambda canvas: bars(marks, canvas))
    noun = "failures" if by == "failure_type" else "questions"
    note = f"Bar: {title} after repair; beside a name the number of {noun}, mean over orders."
    if by != "failure_type":
        note = note.replace("; beside", ", tick: before repair; beside")
    if results.differ:
        note += " Each over the orders that it has finished, which the table names."
    if results.is_split:
        note += " Bar with twins allowed, ◇ with twins excluded."
    if len(drawn) < len(values):
        note += f" The {len(drawn)} largest of {len(values)}; the table has all."
    table = _table(results, by, rows)
    alt = f"{title[:1].upper()}{title[1:]} after repair of {len(results.keys)} programs "
    alt += f"in {len(drawn)} classes: "
    alt += "; ".join(_best(results, by, value, rows, measure) for value in drawn)
    return Figure(_TITLES.get(by, f"By {by}"), alt + ".", wide, narrow, table, note)


def _marks(
    results: Results,
    by: str,
    found: dict[tuple[str, str, str | None], Row],
    sizes: dict[str, float],
    measure: str,
) -> Iterator[Bar]:
    for value, size in sizes.items():
        for key in results.keys:
            main, second = results.row(key), results.second(key)
            row = found.get((value, key, main["same_group"])) if main else None
            other = found.get((value, key, second["same_group"])) if second else None
            if row is not None:
                yield Bar(
                    f"{_shown(by, value)} ({size:.0f})",
                    results.label(key),
                    row[measure],
                    row["ex_before"] if measure == "ex_after" else None,
                    other[measure] if other else None,
                )


def _best(results: Results, by: str, value: str, rows: list[Row], measure: str) -> str:
    """The programs with the longest bars of a class, where they are over the same orders."""
    ways = {row["program"]: row["same_group"] for row in results.rows}
    mine = [row for row in rows if row["value"] == value and row[measure] is not None]
    known = [row for row in mine if ways.get(row["program"], "") == row["same_group"]]
    if not known:
        return f"{_shown(by, value)}, nothing to repair"
    shares = sorted({row[measure] for row in known})
    if results.differ or (len(shares) == 1 and len(known) > 1):
        low, high = (f"{100 * share:.0f} %" for share in (shares[0], shares[-1]))
        return f"{_shown(by, value)}, {f'all {high}' if low == high else f'{low} to {high}'}"
    top = [results.name(row["program"]) for row in known if row[measure] == shares[-1]]
    return f"{_shown(by, value)}, highest {' and '.join(top)} with {100 * shares[-1]:.0f} %"


def _table(results: Results, by: str, rows: list[Row]) -> Table:
    columns = [
        Column(_TITLES.get(by, by).removeprefix("By ").capitalize()),
        Column("Program"),
        Column("Questions", "count", "over orders"),
        Column("Failed", "count"),
        Column("Repaired", "count"),
        Column("Repaired", "share", "of failures"),
        Column("EX before", "share"),
        Column("EX after", "share"),
    ]
    cells = [
        [
            _shown(by, row["value"]),
            results.row_name(row),
            *(row[key] for key in ("n", "failed", "repaired", "repair_rate", "ex_before", "ex_after")),
        ]
        for row in rows
    ]
    note = "A query may have several features, so they do not add up." if by == "feature" else ""
    return Table(_TITLES.get(by, f"By {by}"), columns, cells, note)


def _shown(by: str, value: str) -> str:
    """A value in words; the name of a database stays as it is."""
    return (value if by == "database" else value.replace("_", " ")) or "not given"
