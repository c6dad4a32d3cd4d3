"""Paired differences: what separates two programs on the same questions, and what does not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmend.eval.report._blocks import Block, Facts, Figure, Section, Table, Words
from sqlmend.eval.report._cells import Column, Estimate
from sqlmend.eval.report._charts import Interval, both, forest
from sqlmend.eval.report._compare._read import EXCLUDE, Results, Row


def differences(results: Results) -> Section:
    """The forest plot of the pairs, their verdicts in words, and all numbers."""
    pairs = results.document["pairs"]
    if not pairs:
        return Section("Paired differences", "pairs", [Words("No pairs were asked for.")])
    known = [
        (results.pair_name(pair), pair["ex"], pair["same_group"] == EXCLUDE) for pair in pairs if pair["ex"]
    ]
    blocks: list[Block] = []
    if known:
        blocks.append(_forest("Differences in EX", known, _table(results, pairs), results))
    blocks.append(Facts("In words", [(results.pair_name(pair), pair["verdict"]) for pair in pairs]))
    return Section("Paired differences", "pairs", blocks)


def twins(results: Results) -> Section | None:
    """What a memory gains by the answers to twins: allow against exclude."""
    rows = results.document["group_effects"]
    if not rows:
        return None
    columns = [
        Column("Program"),
        Column("EX, twins allowed", "share"),
        Column("EX, excluded", "share"),
        Column("Difference", "points", "points"),
        Column("p", "p"),
        Column("Separated"),
        Column("Would separate", "count", "questions"),
    ]
    cells = [
        [
            results.name(row["program"]) + results.over(row),
            row["ex_allow"],
            row["ex_exclude"],
            Estimate(row["difference"], row["low"], row["high"]),
            row["p"],
            row["standing"],
            row["questions_needed"],
        ]
        for row in rows
    ]
    table = Table("Twins allowed against excluded", columns, cells)
    known = [(results.name(row["program"]) + results.over(row), row, False) for row in rows]
    words = Words(
        "Real benchmarks hold paraphrases of one question. Where a memory may recall a twin, "
        "part of its gain is the answer itself; this is how much."
    )
    figure = _forest("EX with twins allowed minus EX with twins excluded", known, table, results)
    verdicts = Facts("In words", [(results.name(row["program"]), row["verdict"]) for row in rows])
    return Section("What twins are worth", "twins", [words, figure, verdicts])


def _forest(
    title: str, rows: Sequence[tuple[str, Mapping[str, Any], bool]], table: Table, results: Results
) -> Figure:
    marks = [
        Interval(name, ex["difference"], ex["low"], ex["high"], ex["holds"], second)
        for name, ex, second in rows
    ]
    wide, narrow = both(lambda canvas: forest(marks, "difference in EX, points", canvas))
    note = "Filled: separated from zero, after the correction where one is due. Hollow: not."
    if any(mark.is_second for mark in marks):
        note += " ◇ and dashed: twins excluded."
    level = f"{100 * results.provenance['level']:.0f} %"
    words = [
        f"{name} {100 * ex['difference']:+.1f} points, {100 * ex['low']:+.1f} to {100 * ex['high']:+.1f}, "
        + ex["standing"]
        for name, ex, _ in rows
    ]
    return Figure(
        title, f"Differences with {level} intervals: {'; '.join(words)}.", wide, narrow, table, note
    )


def _table(results: Results, pairs: Sequence[Row]) -> Table:
    single = any(pair["mcnemar"] for pair in pairs)
    columns = [
        Column("Pair"),
        Column("EX", "points", "points"),
        Column("p", "p"),
        Column("p", "p", "Holm"),
        Column("Separated"),
        Column("Wins", "count"),
        Column("Losses", "count"),
        Column("Ties", "count"),
        Column("Would separate", "count", "questions"),
        Column("Repair steps", "signed", "per failure"),
        Column("Tokens", "signed", "per question"),
    ]
    if single:
        columns += [Column("McNemar", "p", "p"), Column("McNemar", "p", "Holm")]
    rows = []
    for pair in pairs:
        ex, exact = pair["ex"] or {}, pair["mcnemar"] or {}
        cells = [
            results.pair_name(pair),
            _estimate(pair["ex"]),
            ex.get("p"),
            ex.get("p_holm"),
            ex.get("standing"),
            pair["wins"],
            pair["losses"],
            pair["ties"],
            ex.get("questions_needed"),
            _estimate(pair["repair_steps"]),
            _estimate(pair["tokens_per_question"]),
        ]
        rows.append([*cells, exact.get("p"), exact.get("p_holm")] if single else cells)
    return Table("Pairs", columns, rows, "First program minus second; wins of the first, by question.")


def _estimate(value: Mapping[str, Any] | None) -> Estimate | None:
    return None if value is None else Estimate(value["difference"], value["low"], value["high"])
