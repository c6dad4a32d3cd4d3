"""What a comparison came to, for people: one table, the paired differences, and where they come from."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from rich.box import SIMPLE_HEAD
from rich.table import Table

from sqlmend._text import for_terminal
from sqlmend.cli._frame import out
from sqlmend.eval._orders import orders_said

_NONE = "-"


def show_results(results: Mapping[str, Any]) -> None:
    """Print the results of a comparison, the content of its ``results.json``."""
    out.print(_table(results))
    notes = (f"note: {note}" for note in results["notes"])
    for line in (*_meanings(results), *_differences(results), *notes, _origin(results)):
        out.print(for_terminal(line), soft_wrap=True)


def _table(results: Mapping[str, Any]) -> Table:
    names = _names(results)
    table = Table(
        title=for_terminal(results["title"]),
        title_justify="left",
        box=SIMPLE_HEAD,
        show_edge=False,
        padding=(0, 1, 0, 0),
    )
    table.add_column("program", overflow="fold")
    table.add_column("same\ngroup", no_wrap=True)
    if differ := _differ(results):
        table.add_column("orders")
    for title in ("EX %\nbefore", "EX %\nafter", "repaired", "calls", "tokens", "oscil-\nlation %"):
        table.add_column(title, justify="right", no_wrap=True)
    for row in results["programs"]:
        mean, sd = row["mean"], row["sd"]
        table.add_row(
            for_terminal(names[row["program"]]),
            row["same_group"] or _NONE,
            *([", ".join(map(str, row["orders"]))] if differ else []),
            _percent(mean["ex_before"], sd["ex_before"] or None),  # all orders start alike
            _percent(mean["ex_after"], sd["ex_after"]),
            f"{mean['repaired']:.1f} of {mean['failed_initially']:.1f}",
            f"{mean['calls']:,.0f}",
            f"{mean['tokens']:,.0f}",
            _percent(mean["oscillation"], None),
        )
    return table


def _differ(results: Mapping[str, Any]) -> bool:
    """Whether programs have finished different orders."""
    return len({tuple(row["orders"]) for row in results["programs"]}) > 1


def _meanings(results: Mapping[str, Any]) -> Iterator[str]:
    """What the columns mean."""
    orders = [row["orders"] for row in results["programs"]]
    if any(len(finished) > 1 for finished in orders):
        over = "the orders named" if _differ(results) else f"{len(orders[0])} orders"
        yield f"means over {over}, EX with ± its sample standard deviation (before repair unless it is 0)"
    else:
        yield "one order: no deviation"
    meanings = {measure["key"]: measure["definition"] for measure in results["measures"]}
    yield (
        "repaired: of the questions that failed at first; calls, tokens: of all questions, initial queries"
        f" included; oscillation: {meanings['oscillation']}"
    )


def _differences(results: Mapping[str, Any]) -> Iterator[str]:
    """A line for each pair, which says in words whether it is separated."""
    names = _names(results)
    for row in results["pairs"]:
        pair = f"{names[row['a']]} - {names[row['b']]}"
        if row["same_group"]:
            pair += f" (same group {row['same_group']})"
        if _differ(results) and row["orders"]:
            pair += f" ({orders_said(row['orders'])})"
        yield f"{pair}: {_difference(row)}"


def _difference(row: Mapping[str, Any]) -> str:
    ex = row["ex"]
    if ex is None:
        return "no order is finished for both"
    words = (
        f"EX {ex['difference'] * 100:+.1f} points, {ex['low'] * 100:+.1f} to {ex['high'] * 100:+.1f},"
        f" questions won {row['wins']}, lost {row['losses']}, p {ex['p_holm']:.3f} (Holm)"
    )
    needed = ex["questions_needed"]
    return f"{words}: {ex['standing']}" + (
        f"; about {needed:,} questions would separate it" if needed else ""
    )


def _origin(results: Mapping[str, Any]) -> str:
    provenance = results["provenance"]
    return (
        f"EX by definition {provenance['definition']} on {provenance['benchmark']}"
        f" ({provenance['questions']} questions in {provenance['groups']} groups),"
        f" data {provenance['data_hash'][:19]}; {provenance['regime']};"
        f" section order {', '.join(provenance['section_orders'])},"
        f" embedder {provenance['embedder'] or 'none'}; intervals of {provenance['level']:.0%}"
        f" by {provenance['unit']}, {provenance['resamples']:,} resamples, seed {provenance['seed']}"
    )


def _names(results: Mapping[str, Any]) -> dict[str, str]:
    return {program["key"]: program["name"] for program in results["provenance"]["programs"]}


def _percent(mean: float | None, sd: float | None) -> str:
    if mean is None:
        return _NONE
    return f"{mean * 100:.1f}" if sd is None else f"{mean * 100:.1f} ± {sd * 100:.1f}"
