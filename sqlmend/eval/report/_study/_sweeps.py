"""Sweeps: one setting of the design varied at a time."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlmend.eval.report._blocks import Block, Figure, Section, Table, Words
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._charts import Curve, both, curves
from sqlmend.eval.report._study._first import comparison, comparison_columns
from sqlmend.eval.report._study._pictures import differences
from sqlmend.eval.report._study._read import DEFAULT, TRANSFER, Axis, Row, Study, estimate, percent

_TITLES = {
    "k": "How many cards a prompt shows (k)",
    "source": "Source of the cards, at matched cards per database",
    "admission": "Admission",
    "format": "Format of a card",
    "scope": "Whose cards",
    "retriever": "How cards are found",
    "pairing": "Pairing of questions and corrections",
    "content": "Content of a card",
    "fraction": "Share of the bank, crossed with k",
}


def sweeps(study: Study) -> Section | None:
    """Levels by axis, each design against the one that it varies; None where nothing is varied."""
    if not study.axes:
        return None
    blocks: list[Block] = [
        Words(
            "Exploratory: these comparisons were not named in advance, their p-values are not adjusted for "
            "how many there are. A design differs from what it is compared with in one setting."
        )
    ]
    for axis in study.axes:
        blocks += _axis(study, axis)
    return Section("Sweeps of one setting (exploratory)", "sweeps", blocks)


def _axis(study: Study, axis: Axis) -> Iterator[Block]:
    title = _TITLES.get(axis.name, axis.name.replace("_", " ").capitalize())
    designs = _with_base(study, axis)
    if axis.name == "fraction":
        yield _crossed(study, title)
    else:
        yield _levels(study, axis.name, title, designs)
    if axis.name == "k" and (picture := _by_k(study, designs)):
        yield picture
    known = [
        (f"{design['label']} (named in advance)" if study.is_primary(row) else design["label"], row)
        for design in axis.designs
        if (row := study.against(design["key"], TRANSFER)) is not None
    ]
    table = _against(study, axis)
    marks = [(label, row["contrast"]) for label, row in known]
    if picture := differences(f"{title}: transfer against what is varied", marks, study, table=table):
        yield picture


def _with_base(study: Study, axis: Axis) -> list[Row]:
    """The designs of a sweep with the default among them where it is one of its levels, in order of k."""
    designs = list(axis.designs)
    default = study.designs.get(DEFAULT)
    if default is not None and axis.name != "source":
        designs.insert(0, default)
    if axis.name == "k":
        designs.sort(key=lambda design: design["values"]["k"])
    return designs


def _levels(study: Study, axis: str, title: str, designs: list[Row]) -> Table:
    columns = [Column("Design")]
    columns += [Column(study.settings[key].capitalize(), "share") for key in study.measured]
    rows = []
    for design in designs:
        levels = [study.level(design["key"], setting) for setting in study.measured]
        cells = [level and estimate(level["ex"]) for level in levels]
        rows.append([study.label(design["key"], axis), *cells])
    note = f"EX of first answers with cards, in brackets 95 % intervals. {study.origin}"
    if any(not any(study.level(design["key"], setting) for setting in study.measured) for design in designs):
        note += " A design with dashes alone is not measured yet."
    return Table(title, columns, rows, note)


def _against(study: Study, axis: Axis) -> Table:
    columns = [
        Column("Design"),
        Column("Against"),
        Column("Setting"),
        *comparison_columns(study),
        Column("Named in advance"),
    ]
    rows = [
        [
            row["first"],
            row["second"],
            study.settings[setting],
            *comparison(row["contrast"]),
            _named(study, row),
        ]
        for design in axis.designs
        for setting in study.settings
        if (row := study.against(design["key"], setting)) is not None
    ]
    note = (
        "Design minus what it is held against, over the questions that both were asked. Exploratory, but for "
    )
    note += "what was named in advance, which the first screen has."
    return Table("Differences in every setting", columns, rows, note)


def _named(study: Study, row: Row) -> str | None:
    return "yes" if study.is_primary(row) else None


def _by_k(study: Study, designs: list[Row]) -> Figure | None:
    """EX by k, one small chart for each setting; None where fewer than two values are measured."""
    lines, rows, words = [], [], []
    for setting in study.measured:
        found = [
            (design["values"]["k"], level)
            for design in designs
            if (level := study.level(design["key"], setting)) is not None
        ]
        if len(found) < 2:
            continue
        title = study.settings[setting]
        lines.append(Curve(title, [(k, level["ex"]["value"]) for k, level in found]))
        without = [(k, level["without"]["value"]) for k, level in found if level["without"] is not None]
        lines.append(Curve(title, without, is_second=True))
        ends = (f"{percent(level['ex']['value'])} at k {k}" for k, level in (found[0], found[-1]))
        words.append(f"{title} {', '.join(ends)}")
        rows += [
            [
                title,
                k,
                level["cards_shown"],
                level["cards_left_out"],
                estimate(level["ex"]),
                estimate(level["without"]),
            ]
            for k, level in found
        ]
    if not lines:
        return None
    columns = [
        Column("Setting"),
        Column("k", "count"),
        Column("Cards", "amount", "shown"),
        Column("Cards", "amount", "did not fit"),
        Column("EX", "share", "with cards"),
        Column("EX", "share", "no memory"),
    ]
    wide, narrow = both(lambda canvas: curves(lines, canvas))
    note = f"● with cards, the other settings faint behind; ◇ and dashed: without memory. {study.origin}"
    table = Table("EX by k", columns, rows)
    return Figure(
        "EX by k", f"EX by the number of cards shown: {'; '.join(words)}.", wide, narrow, table, note
    )


def _crossed(study: Study, title: str) -> Table:
    """Shares of the bank as rows, k as columns; EX on held-out questions."""
    found: dict[tuple[float, int], Any] = {}
    for design in study.designs.values():
        if set(design["changes"]) <= {"fraction", "k"}:
            level = study.level(design["key"], TRANSFER)
            found[design["values"]["fraction"], design["values"]["k"]] = level and estimate(level["ex"])
    shares = sorted({share for share, _ in found})
    crossed = {share for share, _ in found if share < 1}
    ks = sorted({k for share, k in found if share in crossed})
    columns = [Column("Share of the bank"), *(Column(f"k {k}", "share", "EX, transfer") for k in ks)]
    rows = [[f"{share:g}", *(found.get((share, k)) for k in ks)] for share in shares]
    return Table(title, columns, rows, f"In brackets 95 % intervals, held-out questions. {study.origin}")
