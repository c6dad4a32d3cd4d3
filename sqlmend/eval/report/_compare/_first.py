"""The first screen: which program is better, by how much, is it real, what does it cost."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from sqlmend.eval._orders import orders_said
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
    if not results.rows:
        yield Words("No run is finished yet.", "lead")
        return
    ranked = results.rows
    if results.common:
        ranked = sorted(ranked, key=lambda row: -results.in_common(row, "ex_after"))
        yield Words(_highest(results, ranked), "lead")
    else:
        yield Words("There is no order that all have finished, so they are not ranked.", "lead")
    pairs = [pair for row in ranked if (pair := results.against_reference(row["program"])) is not None]
    if pairs and results.reference is not None:
        yield Words(pairs[0]["verdict"])
        told = [pair for pair in pairs if pair["ex"] is not None]
        if len(told) > 1:
            yield Words(_apart(results, results.reference, told))


def _highest(results: Results, ranked: list[Row]) -> str:
    """The program with the highest EX, or those that are level, over the orders that all have finished."""
    best = ranked[0]
    top = results.in_common(best, "ex_after")
    level = [row for row in ranked if results.in_common(row, "ex_after") == top]
    aside = [f"before repair {percent(results.in_common(best, 'ex_before'))}"]
    second = results.second(best["program"])
    if second is not None and len(level) == 1:
        aside.append(f"with twins excluded {percent(results.in_common(second, 'ex_after'))}")
    over = f" over {orders_said(results.common)}, which all have finished" if results.differ else ""
    return (
        f"Highest EX measured{' with twins excluded' if results.is_excluded else ''}{over}: "
        f"{' and '.join(results.name(row['program']) for row in level)}, {percent(top)} ({', '.join(aside)})"
        f", at {results.in_common(best, 'tokens_per_question'):,.0f} tokens per question."
    )


def _apart(results: Results, reference: str, pairs: list[Row]) -> str:
    """Which programs are separated from the one that they are compared with, and which would be alone."""
    head = f"Of {len(pairs)} programs compared with {results.name(reference)}, "
    standings = dict.fromkeys(pair["ex"]["standing"] for pair in pairs if pair["ex"]["separated"])
    if not standings:
        return f"{head}none is separated from it."
    named = {
        standing: ", ".join(results.name(pair["a"]) for pair in pairs if pair["ex"]["standing"] == standing)
        for standing in standings
    }
    return f"{head}{'; '.join(f'{standing}: {names}' for standing, names in named.items())}."


def _table(results: Results) -> Table:
    reference = results.reference
    columns = [Column("Program")]
    ways = _ways(results)
    columns += [Column("EX", "share", hint) for hint, _ in ways]
    columns.append(Column("Tokens", "count", "per question"))
    if reference is not None:
        columns += [
            Column(f"Against {results.name(reference)}", "points", hint or "points") for hint, _ in ways
        ]
        columns.append(Column("Separated"))
    rows = _unrepaired(results, len(ways), len(columns))
    for key in results.keys:
        shown = [_of_way(results, key, second) for _, second in ways]
        if not any(shown):
            continue
        tokens = None if shown[0] is None else shown[0]["mean"]["tokens_per_question"]
        cells: list[Any] = [results.name(key) + _finished(results, shown), *map(_ex, shown), tokens]
        if reference is not None:
            pairs = [results.against_reference(key, second=second) for _, second in ways]
            cells += [*map(_difference, pairs), _separated(pairs)]
        rows.append(cells)
    return Table("Programs", columns, rows, _how_read(results))


def _ways(results: Results) -> list[tuple[str, bool]]:
    """The group rules that there are figures of: what they are called, and whether twins are excluded."""
    if results.is_split:
        return [("twins allowed", False), ("twins excluded", True)]
    return [("twins excluded" if results.is_excluded else "", False)]


def _of_way(results: Results, key: str, second: bool) -> Row | None:
    """The row of a program for a column; of one that has no figures of that way yet None."""
    if second:
        return results.row(key, EXCLUDE)
    return next((row for row in results.rows if row["program"] == key), None)


def _finished(results: Results, shown: Sequence[Row | None]) -> str:
    """The orders of a program in brackets where rows differ; those without twins, where they are others."""
    if not results.differ:
        return ""
    orders = {row["same_group"]: orders_said(row["orders"]) for row in shown if row is not None}
    if len(set(orders.values())) == 1:
        return f" ({next(iter(orders.values()))})"
    said = (f"{'excluded: ' if way == EXCLUDE else ''}{words}" for way, words in orders.items())
    return f" ({'; '.join(said)})"


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
    over = "one order"
    if results.differ:
        over = "mean over the orders named; a difference is over those that both have finished"
    elif len(results.common) > 1:
        over = f"mean over {len(results.common)} orders"
    level = f"{100 * about['level']:.0f} %"
    words = [
        f"EX: share of questions whose query matches the reference by the definition {about['definition']}, "
        f"{over}.",
        f"In brackets the {level} interval of a bootstrap over "
        + ("groups of twins." if about["unit"] == "group" else "questions."),
    ]
    if results.is_split:
        words.append(
            "Twins are questions with the same reference: excluded, a memory may not recall the answer to a "
            "paraphrase. The costs are those with twins allowed."
        )
    if results.is_excluded:
        words.append(
            "Twins are questions with the same reference, and they are excluded: a memory may not recall the "
            "answer to a paraphrase."
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
    """Whether a program is separated from the reference; by group rule where they do not say the same."""
    said = {
        ("excluded" if pair["same_group"] == EXCLUDE else "allowed"): pair["ex"]["standing"]
        for pair in pairs
        if pair is not None and pair["ex"] is not None
    }
    if len(set(said.values())) < 2:
        return next(iter(said.values()), None)
    return "; ".join(f"{name}: {standing}" for name, standing in said.items())


def _picture(results: Results) -> Figure:
    marks, rows, words = [], [], []
    for key in results.keys:
        main, second = results.row(key), results.second(key)
        if main is None:
            continue
        x, y = main["mean"]["tokens_per_question"], main["mean"]["ex_after"]
        variant = (second["mean"]["tokens_per_question"], second["mean"]["ex_after"]) if second else None
        marks.append(Mark(results.label(key), x, y, main["ex_low"], main["ex_high"], variant))
        for row in filter(None, (main, second)):
            rows.append([results.row_name(row), row["mean"]["tokens_per_question"], _ex(row)])
        words.append((y, f"{results.row_name(main)} {percent(y)} at {x:,.0f}"))
    columns = [Column("Program"), Column("Tokens", "count", "per question"), Column("EX after", "share")]
    wide, narrow = both(lambda canvas: tradeoff(marks, "tokens per question", "EX", canvas), HALF)
    note = "Higher is better, further left is cheaper; the line through a mark is its interval."
    if results.is_split:
        note += " ● twins allowed, ◇ the same program with twins excluded."
    if results.differ:
        note += " Each over the orders that it has finished, which the table names."
    else:
        words.sort(key=lambda item: -item[0])
    alt = f"EX after repair against tokens per question{'' if results.differ else ', from the highest'}: "
    alt += f"{'; '.join(word for _, word in words)} tokens."
    return Figure("EX against tokens", alt, wide, narrow, Table("EX and tokens", columns, rows), note)
