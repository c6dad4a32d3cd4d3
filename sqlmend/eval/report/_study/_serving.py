"""Serving: rounds of repair with and without memory, and when a bank has paid for itself."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmend.eval.report._blocks import Block, Figure, Section, Table, Words
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._charts import Curve, both, curves
from sqlmend.eval.report._study._read import Row, Study, percent

_WAYS = {"without": "no memory", "with": "with cards"}


def serving(study: Study) -> Section:
    """EX, calls and tokens by round, and the amortisation."""
    rounds = study.document["serving"]["rounds"]
    if not any(row[way] for row in rounds for way in _WAYS):
        return Section("Serving and what it costs", "serving", [Words("Serving is not measured yet.")])
    words = Words(
        "The first answer with the default design's cards and then rounds of repair, against repair without "
        "memory, on the held-out questions."
    )
    blocks: list[Block] = [words, _picture(study, rounds), _table(study, rounds)]
    return Section("Serving and what it costs", "serving", [*blocks, *_amortised(study)])


def _table(study: Study, rounds: list[Row]) -> Table:
    columns = [Column("Rounds of repair")]
    for label, kind in (("EX", "share"), ("Calls", "amount"), ("Tokens", "count")):
        columns += [Column(label, kind, name) for name in _WAYS.values()]
    rows = [
        [
            str(row["round"]),
            *(row[way] and row[way][what] for what in ("ex", "calls", "tokens") for way in _WAYS),
        ]
        for row in rounds
    ]
    note = (
        "Means over the held-out questions; calls and tokens add up over the rounds, memo hits count as what "
        f"they would have cost. Round 0 is the first answer. {study.origin}"
    )
    return Table("EX, calls and tokens by round", columns, rows, note)


def _picture(study: Study, rounds: list[Row]) -> Figure:
    lines, words = [], []
    for way, name in _WAYS.items():
        points = [(row["round"], row[way]["ex"]) for row in rounds if row[way] is not None]
        if points:
            lines.append(Curve("EX by rounds of repair", points, is_second=way == "without"))
            words.append(f"{name} {percent(points[0][1])} at first, {percent(points[-1][1])} at last")
    wide, narrow = both(lambda canvas: curves(lines, canvas))
    columns = [Column("Rounds"), *(Column("EX", "share", name) for name in _WAYS.values())]
    rows = [[str(row["round"]), *(row[way] and row[way]["ex"] for way in _WAYS)] for row in rounds]
    note = f"● with cards; ◇ and dashed: no memory. {study.origin}"
    alt = f"EX after the first answer and each round of repair: {'; '.join(words)}."
    return Figure("EX by rounds of repair", alt, wide, narrow, Table("EX by round", columns, rows), note)


def _amortised(study: Study) -> Iterator[Words]:
    found = study.document["amortisation"]
    if found is None:
        yield Words("Amortisation: not measured yet; it needs serving with and without memory.")
        return
    for unit in ("calls", "tokens"):
        yield Words(_paid_back(unit, found["build"][unit], found["saved"][unit], found["break_even"][unit]))
    yield Words(
        "Building is what collecting attempts cost after the first answers, which had to be given anyway. "
        "Saved is what a later question costs less with the cards than without, all rounds of repair "
        "included.",
        "note",
    )


def _paid_back(unit: str, build: float, saved: float, even: float | None) -> str:
    said = f"Amortisation in {unit}: the default bank took {build:,.0f} to build and "
    if saved < 0:
        said += f"costs {-saved:,.2f} more"
    else:
        said += f"saves {saved:,.2f}"
    said += " for each later question"
    return said + (
        "; it never pays for itself." if even is None else f"; it breaks even after {even:,.0f} questions."
    )
