"""Learning curves: what share of the failures was repaired along the stream, or what share was right."""

from __future__ import annotations

from sqlmend.eval.report._blocks import Figure, Section, Table, Words
from sqlmend.eval.report._cells import Column, Spread
from sqlmend.eval.report._charts import Curve, both, curves
from sqlmend.eval.report._compare._read import EXCLUDE, Results, percent


def learning(results: Results) -> Section:
    """Repaired share of all failures so far by the number of questions seen; EX where nothing repairs."""
    repairs = any(program["budget"] for program in results.provenance["programs"])
    key, title = ("cumulative", "Repaired share of the failures so far") if repairs else ("ex", "EX so far")
    lines, rows, words = [], [], []
    ends: list[int] = sorted(
        {point["until"] for row in results.document["curves"] for point in row["points"]}
    )
    for row in results.document["curves"]:
        points = [(p["until"], p[key]) for p in row["points"] if p[key] is not None]
        if not points:
            continue
        label = results.row_name(row)
        second = row["same_group"] == EXCLUDE and results.second(row["program"]) is not None
        lines.append(Curve(results.label(row["program"]), points, second))
        words.append(f"{label} {percent(points[0][1])} at the first, {percent(points[-1][1])} at the last")
        found = {p["until"]: p for p in row["points"] if p[key] is not None}
        cells = [Spread(found[e][key], found[e][f"{key}_sd"] or None) if e in found else None for e in ends]
        rows.append([label, *cells])
    if not lines:
        return Section("Learning curves", "learning", [Words("Nothing failed, so nothing was repaired.")])
    wide, narrow = both(lambda canvas: curves(lines, canvas))
    table = Table(
        title,
        [Column("Program"), *(Column(f"{end}", "share", "questions") for end in ends)],
        rows,
        "± the standard deviation over orders, where they differ."
        if any(len(row["orders"]) > 1 for row in results.document["curves"])
        else "",
    )
    note = (
        "By the number of questions seen. The program's own line is strong, the others stand faint behind it."
    )
    if results.is_split:
        note += " ● twins allowed, ◇ and dashed: twins excluded."
    if results.differ:
        note += " Each over the orders that it has finished, which the table names."
    alt = f"{title}, along the stream: {'; '.join(words)} point."
    figure = Figure(title, alt, wide, narrow, table, note)
    return Section("Learning curves", "learning", [figure])
