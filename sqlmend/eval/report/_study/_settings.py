"""The settings beside each other: what every design comes to as replay, retention and transfer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from sqlmend.eval.report._blocks import Block, Figure, Section, Table, Words
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._charts import WIDE, Bar, bars, both
from sqlmend.eval.report._study._read import DEFAULT, Row, Study, estimate, percent

_TWO = replace(WIDE, columns=2)  # small charts in a row: names of designs and of settings are long


def settings(study: Study) -> Section:
    """EX and gain of each design in each setting, and the floor."""
    if not study.measured:
        return Section("Settings beside each other", "settings", [Words("Nothing is measured yet.")])
    blocks: list[Block] = [
        Words(_floor(study)),
        _table(study, "Gain over no memory", "points", lambda row: row["gain"]),
        _picture(study),
    ]
    return Section("Settings beside each other", "settings", blocks)


def _table(study: Study, title: str, kind: str, of: Callable[[Row], Row | None]) -> Table:
    columns = [Column("Design")]
    hint = "points" if kind == "points" else ""
    columns += [Column(study.settings[key].capitalize(), kind, hint) for key in study.measured]
    rows = []
    for design in study.designs.values():
        levels = [study.level(design["key"], setting) for setting in study.measured]
        if any(levels):
            rows.append([design["label"], *(level and estimate(of(level)) for level in levels)])
    note = f"In brackets 95 % intervals. {study.origin}"
    if kind == "points":
        note = f"Against {study.held_against}. {note}"
        note += " Exploratory but for what the first screen names."
    else:
        rows.insert(0, ["no memory, questions of the default", *_without(study)])
        note += " Designs whose banks differ are asked different questions in replay and retention."
    return Table(title, columns, rows, note)


def _picture(study: Study) -> Figure:
    """EX of every design that is measured, one small chart for each setting."""
    marks, words = [], []
    shown = [d for d in study.designs.values() if any(study.level(d["key"], s) for s in study.measured)]
    for setting in study.measured:
        title = study.settings[setting]
        found = {design["label"]: study.level(design["key"], setting) for design in shown}
        marks += [Bar(title, label, *_lengths(level)) for label, level in found.items()]
        shares = {label: level["ex"]["value"] for label, level in found.items() if level is not None}
        best = max(shares, key=lambda label: shares[label])
        words.append(f"{title}, highest {best} with {percent(shares[best])}")
    wide, narrow = both(lambda canvas: bars(marks, canvas), _TWO)
    table = _table(study, "EX with cards", "share", lambda row: row["ex"])
    alt = f"EX of first answers with cards, by design: {'; '.join(words)}."
    note = f"Bar: EX with cards; tick: without memory, on the same questions. {study.origin}"
    return Figure("EX in each setting", alt, wide, narrow, table, note)


def _lengths(level: Row | None) -> tuple[float | None, float | None]:
    """EX with cards and without memory."""
    if level is None:
        return None, None
    return level["ex"]["value"], level["without"] and level["without"]["value"]


def _without(study: Study) -> list[Any]:
    levels = [study.level(DEFAULT, setting) for setting in study.measured]
    return [level and estimate(level["without"]) for level in levels]


def _floor(study: Study) -> str:
    floor = study.document["floor"]
    said = "Floor, the same questions asked again without memory: "
    if study.is_empty:
        return f"{said}none, no question produced a card."
    if floor["by_construction"]:
        return (
            f"{said}0 by construction. The engine gives the same prompt the same answer to the bit, and what "
            "produced a card was wrong at first; only what a card adds can make it right."
        )
    if floor["ex"] is None:
        return f"{said}not measured yet."
    return (
        f"{said}{percent(floor['ex'])} of the {floor['questions']} questions that produced a card. In "
        "replay and retention cards are held against it, question by question."
    )
