"""The first screen: what stored corrections are worth, and the comparisons that were named in advance."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlmend.eval.report._blocks import Beside, Block, Section, Table, Words
from sqlmend.eval.report._cells import Column
from sqlmend.eval.report._charts import HALF
from sqlmend.eval.report._study._pictures import differences
from sqlmend.eval.report._study._read import (
    DEFAULT,
    TRANSFER,
    Row,
    Study,
    estimate,
    interval,
    percent,
    points,
    yes,
)

_MOST = 4  # unfinished runs that the first screen names


def first_screen(study: Study) -> Section:
    """The answer in words, the settings of the default design, and the primary comparisons."""
    blocks: list[Block] = [*_answer(study)]
    rows = [(key, row) for key in study.settings if (row := study.level(DEFAULT, key)) is not None]
    if rows:
        gains = [(study.settings[key], row["gain"]) for key, row in rows if row["gain"] is not None]
        table = _settings(study, rows)
        picture = differences("Gain over no memory", gains, study, canvas=HALF)
        blocks.append(table if picture is None else Beside(table, picture))
    blocks += _primary(study)
    blocks += [Words(note, "note") for note in study.document["notes"]]
    return Section("What stored corrections are worth here", "answer", blocks)


def _answer(study: Study) -> Iterator[Words]:
    missing = study.document["missing"]
    if missing:
        named = ", ".join(f"{run['path']} ({run['done']} of {run['of']})" for run in missing[:_MOST])
        more = "" if len(missing) <= _MOST else f" and {len(missing) - _MOST} more"
        noun = "run is" if len(missing) == 1 else "runs are"
        yield Words(f"Not complete: {len(missing)} {noun} not finished: {named}{more}.", "lead")
    if study.is_empty:
        yield Words("No correction was collected: the default design has no card to gain or lose by.", "lead")
    elif not any(study.level(DEFAULT, key) for key in study.settings):
        yield Words("No question was answered with the default design's cards yet.", "lead")
    transfer = study.level(DEFAULT, TRANSFER)
    if transfer is not None and transfer["gain"] is not None:
        yield Words(_held_out(transfer), "lead")
    yield Words(ratio_said(study))


def _held_out(row: Row) -> str:
    gain = row["gain"]
    where = f"{gain['questions']} held-out questions of {gain['databases']} databases"
    return (
        f"On {where} the cards of the default design move EX from {percent(row['without']['value'])} to "
        f"{percent(row['ex']['value'])}: {interval(gain)}. "
        + ("This is separated from zero." if gain["separated"] else _not_separated(gain))
    )


def _not_separated(gain: Row) -> str:
    needed = gain["questions_needed"]
    if not needed:
        return "This is not separated from zero."
    # The interval draws databases too: more questions of the same ones would narrow it less.
    return (
        f"This is not separated from zero; about {needed:,} questions of correspondingly more databases "
        "would separate a gain of that size."
    )


def ratio_said(study: Study) -> str:
    """The crystallization ratio in words, or why there is none."""
    found = study.document["ratio"]
    if study.is_empty:
        return "Crystallization ratio: none, as no correction was collected."
    if found is None:
        return "Crystallization ratio: not measured yet; it needs transfer and repair without memory."
    gain, headroom, ratio = found["gain"], found["headroom"], found["ratio"]
    parts = (
        f"Gain {points(gain['value'])} points; headroom {points(headroom['value'])} points "
        f"({points(headroom['low'])} to {points(headroom['high'])}), which is what repair without memory "
        "gains on the same questions."
    )
    if ratio["undefined"] is not None:
        return f"Crystallization ratio: undefined, {ratio['undefined']}. {parts}"
    return (
        f"Crystallization ratio (gain over headroom): {ratio['value']:.2f}, 95 % interval {ratio['low']:.2f} "
        f"to {ratio['high']:.2f}. {parts}"
    )


def _settings(study: Study, rows: list[tuple[str, Row]]) -> Table:
    columns = [
        Column("Setting"),
        Column("Without", "share", "memory"),
        Column("With", "share", "cards"),
        Column("Gain", "points", "points"),
        Column("p", "p"),
        Column("Databases", "text", "better, worse"),
        Column("Asked", "count"),
    ]
    cells = [
        [
            study.settings[key],
            estimate(row["without"]),
            estimate(row["ex"]),
            estimate(row["gain"]),
            row["gain"] and row["gain"]["p"],
            databases(row["gain"]),
            row["ex"]["questions"],
        ]
        for key, row in rows
    ]
    return Table("The default design in each setting", columns, cells, _how_read(study))


def _how_read(study: Study) -> str:
    meanings = "; ".join(f"{row['title']}: {row['summary']}" for row in study.document["settings"])
    return (
        f"EX: share of first answers that match the reference by the definition {study.about['definition']}. "
        f"In brackets 95 % intervals of a two-stage bootstrap (databases, then groups of twins within), "
        f"{study.about['resamples']:,} resamples, seed {study.about['seed']}. {_capital(meanings)}."
    )


def _primary(study: Study) -> Iterator[Block]:
    rows = study.document["primary"]
    if not rows:
        return
    columns = [
        Column("Question"),
        Column("First"),
        Column("Second"),
        *comparison_columns(study),
    ]
    cells = [[row["question"], row["first"], row["second"], *comparison(row["contrast"])] for row in rows]
    note = (
        "Named before anything was measured, on held-out questions; first minus second. "
        "Everything else in this report is exploratory."
    )
    note += "".join(f" {said}" for said in without_figures(study.document))
    table = Table("Primary comparisons, named in advance", columns, cells, note)
    known = [(row["question"], row["contrast"]) for row in rows if row["contrast"] is not None]
    yield table
    if picture := differences("Primary comparisons on transfer", known, study):
        yield picture


def without_figures(document: Row) -> Iterator[str]:
    """Which primary comparisons have no figures: those that the study does not ask for, and how it would."""
    absent = [row for row in document["primary"] if row["contrast"] is None]
    if unasked := [f"{row['question']} (--vary {row['vary']})" for row in absent if not row["measured"]]:
        yield f"Not measured in this study: {'; '.join(unasked)}."
    if undone := [row["question"] for row in absent if row["measured"]]:
        yield f"Not finished, or without a card on either side: {'; '.join(undone)}."


def comparison_columns(study: Study) -> list[Column]:
    """The columns of a contrast's cells."""
    return [
        Column("Difference", "points", "points"),
        Column("p", "p", "two-sided"),
        Column("Separated"),
        Column("Equivalent", "text", f"within {study.margin}"),
        Column("Databases", "text", "better, worse"),
        Column("Questions", "count"),
    ]


def comparison(found: Row | None) -> list[Any]:
    """Cells of a contrast: difference, p, separated, equivalent, databases, questions."""
    if found is None:
        return [None] * 6
    return [
        estimate(found),
        found["p"],
        yes(found["separated"]),
        yes(found["equivalence"]["equivalent"]),
        databases(found),
        found["questions"],
    ]


def databases(found: Row | None) -> str | None:
    """How many databases improve and how many get worse, as a cell."""
    if found is None:
        return None
    return f"+{found['databases_improved']} −{found['databases_worse']} of {found['databases']}"


def _capital(text: str) -> str:
    return text[:1].upper() + text[1:]
