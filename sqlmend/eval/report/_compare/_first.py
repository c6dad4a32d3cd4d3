"""The first screen: which program is better, by how much, is it real, what does it cost."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sqlmend.eval.report._blocks import Beside, Block, Figure, Section, Table, Words
from sqlmend.eval.report._cells import Column, Estimate
from sqlmend.eval.report._charts import HALF, Mark, both, tradeoff
from sqlmend.eval.report._compare._read import EXCLUDE, Results, Row, percent


def first_screen(results: Results) -> Section:
    """The answer in words, as one table and as one picture."""
    blocks: list[Block] = [*_answer(results)]
    if results.document["programs"]:
        blocks.append(Beside(_table(results), _picture(results)))
    blocks += [Words(note, "note") for note in results.document["notes"]]
    return Section("Which program is better, and at what cost", "answer", blocks)


def _answer(results: Results) -> Iterator[Words]:
    missing = results.document["missing"]
    if missing:
        named = ", ".join(
            f"{results.name(run['program'], run['same_group'])} "
            f"order {run['order']} ({run['done']} of {run['of']})"
            for run in missing[:8]
        )
        more = "" if len(missing) <= 8 else f" and {len(missing) - 8} more"
        yield Words(f"Not complete: {len(missing)} runs are not finished: {named}{more}.", "lead")
    rows = [row for row in map(results.row, results.keys) if row is not None]
    if not rows:
        yield Words("No run is finished yet.", "lead")
        return
    ranked = sorted(rows, key=lambda row: -row["mean"]["ex_after"])
    best = ranked[0]
    level = [row for row in ranked if row["mean"]["ex_after"] == best["mean"]["ex_after"]]
    aside = [f"before repair {percent(best['mean']['ex_before'])}"]
    second = results.second(best["program"])
    if second is not None and len(level) == 1:
        aside.append(f"with twins excluded {percent(second['mean']['ex_after'])}")
    yield Words(
        f"Highest EX measured: {' and '.join(results.name(row['program']) for row in level)}, "
        f"{percent(best['mean']['ex_after'])} ({', '.join(aside)}), "
        f"at {best['mean']['tokens_per_question']:,.0f} tokens per question.",
        "lead",
    )
    pairs = [pair for row in ranked if (pair := results.against_reference(row["program"])) is not None]
    if pairs and results.reference is not None:
        yield Words(pairs[0]["verdict"])
        told = [pair for pair in pairs if pair["ex"] is not None]
        if len(told) > 1:
            apart = [results.name(pair["a"]) for pair in told if pair["ex"]["separated"]]
            yield Words(
                f"Of {len(told)} programs compared with {results.name(results.reference)}, "
                + (
                    f"{len(apart)} separated from it: {', '.join(apart)}."
                    if apart
                    else "none is separated from it."
                )
            )


def _table(results: Results) -> Table:
    split, reference = results.is_split, results.reference
    columns = [Column("Program")]
    ways = [("twins allowed", False), ("twins excluded", True)] if split else [("", False)]
    columns += [Column("EX", "share", hint) for hint, _ in ways]
    columns.append(Column("Tokens", "count", "per question"))
    if reference is not None:
        columns += [
            Column(f"Against {results.name(reference)}", "points", hint or "points") for hint, _ in ways
        ]
        columns.append(Column("Separated"))
    rows = _unrepaired(results, len(ways), len(columns))
    for key in results.keys:
        main = results.row(key)
        if main is None:
            continue
        shown = [results.second(key) if second else main for _, second in ways]
        cells = [results.name(key), *map(_ex, shown), main["mean"]["tokens_per_question"]]
        if reference is not None:
            pairs = [results.against_reference(key, second=second) for _, second in ways]
            cells += [*map(_difference, pairs), _separated(pairs)]
        rows.append(cells)
    return Table("Programs", columns, rows, _how_read(results))


def _unrepaired(results: Results, ways: int, width: int) -> list[list[Any]]:
    """A row for the initial queries alone, where all programs started from the same ones."""
    means = [row["mean"] for row in map(results.row, results.keys) if row is not None]
    if not means or not results.provenance["initial_equal"] or not means[0]["n"]:
        return []
    first = means[0]
    cells: list[Any] = ["no repair", first["ex_before"], *[None] * (width - 2)]
    cells[1 + ways] = first["tokens_answering"] / first["n"]
    return [cells]


def _how_read(results: Results) -> str:
    about = results.provenance
    several = len(about["orders"]) > 1
    level = f"{100 * about['level']:.0f} %"
    words = [
        f"EX: share of questions whose query matches the reference by the definition {about['definition']}"
        + (f", mean over {len(about['orders'])} orders." if several else ", one order."),
        f"In brackets the {level} interval of a bootstrap over "
        + ("groups of twins." if about["unit"] == "group" else "questions."),
    ]
    if results.is_split:
        words.append(
            "Twins are questions with the same reference: excluded, a memory may not recall the answer to a "
            "paraphrase. The costs are those with twins allowed."
        )
    words.append(
        "Tokens count answering, memory construction and repair, memo hits as what they would have cost."
    )
    return " ".join(words)


def _ex(row: Row | None) -> Estimate | None:
    return None if row is None else Estimate(row["mean"]["ex_after"], row["ex_low"], row["ex_high"])


def _difference(pair: Row | None) -> Estimate | None:
    if pair is None or pair["ex"] is None:
        return None
    return Estimate(pair["ex"]["difference"], pair["ex"]["low"], pair["ex"]["high"])


def _separated(pairs: list[Row | None]) -> str | None:
    said = {
        ("excluded" if pair["same_group"] == EXCLUDE else "allowed"): pair["ex"]["separated"]
        for pair in pairs
        if pair is not None and pair["ex"] is not None
    }
    if not said:
        return None
    if len(set(said.values())) == 1:
        return "yes" if next(iter(said.values())) else "no"
    return "only " + next(name for name, yes in said.items() if yes)


def _picture(results: Results) -> Figure:
    marks, rows, words = [], [], []
    for key in results.keys:
        main, second = results.row(key), results.second(key)
        if main is None:
            continue
        x, y = main["mean"]["tokens_per_question"], main["mean"]["ex_after"]
        variant = (second["mean"]["tokens_per_question"], second["mean"]["ex_after"]) if second else None
        marks.append(Mark(results.name(key), x, y, main["ex_low"], main["ex_high"], variant))
        for row in filter(None, (main, second)):
            rows.append([results.name(key, row["same_group"]), row["mean"]["tokens_per_question"], _ex(row)])
    for mark in sorted(marks, key=lambda mark: -mark.y):
        words.append(f"{mark.label} {percent(mark.y)} at {mark.x:,.0f}")
    columns = [Column("Program"), Column("Tokens", "count", "per question"), Column("EX after", "share")]
    wide, narrow = both(lambda canvas: tradeoff(marks, "tokens per question", "EX", canvas), HALF)
    note = "Higher is better, further left is cheaper; the line through a mark is its interval."
    if results.is_split:
        note += " ● twins allowed, ◇ the same program with twins excluded."
    alt = f"EX after repair against tokens per question, from the highest: {'; '.join(words)} tokens."
    return Figure("EX against tokens", alt, wide, narrow, Table("EX and tokens", columns, rows), note)
