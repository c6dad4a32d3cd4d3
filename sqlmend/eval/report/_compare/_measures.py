"""Every measure of every program: mean and standard deviation over orders."""

from __future__ import annotations

from sqlmend.eval._orders import orders_said
from sqlmend.eval.report._blocks import Facts, Section, Table
from sqlmend.eval.report._cells import Column, Spread
from sqlmend.eval.report._compare._read import PARTS, Results

#: Unit of a measure to the kind of its column.
_KINDS = {"share": "share", "seconds": "tenths", "tokens": "count"}
_APART = "calls_{0} tokens_{0} prompt_tokens_{0} output_tokens_{0} seconds_model_{0} seconds_outside_{0}"
_GROUPS = (
    (
        "Repair",
        "n errors ex_before ex_after failed_initially repaired repair_rate "
        "revisions repair_steps repeats oscillation",
    ),
    (
        "Cost",
        "calls tokens prompt_tokens output_tokens tokens_per_question cached_tokens calls_paid cut_off "
        "seconds_model seconds_outside",
    ),
    *((f"Cost of {name}", _APART.format(part)) for part, name in PARTS.items()),
)


def measures(results: Results) -> Section:
    """Tables of all measures, and what each means."""
    catalogue = {measure["key"]: measure for measure in results.document["measures"]}
    grouped = [(title, [key for key in keys.split() if key in catalogue]) for title, keys in _GROUPS]
    known = {key for _, keys in grouped for key in keys}
    rest = [key for key in catalogue if key not in known]
    tables = [_table(results, title, keys) for title, keys in [*grouped, ("More", rest)] if keys]
    meanings = Facts(
        "What the measures mean",
        [(m["name"], m["definition"]) for m in catalogue.values() if m["definition"]],
    )
    return Section("All measures", "measures", [_by_question(results), *tables, meanings])


def _by_question(results: Results) -> Table:
    """What a question costs, apart."""
    columns = [Column("Program")]
    columns += [
        Column(label, kind, name)
        for label, kind in (("Calls", "amount"), ("Tokens", "count"), ("Seconds", "tenths"))
        for name in PARTS.values()
    ]
    rows = []
    for program in results.keys:
        for row in filter(None, (results.row(program), results.second(program))):
            mean = row["mean"]
            sums = [mean[f"calls_{part}"] for part in PARTS]
            sums += [mean[f"tokens_{part}"] for part in PARTS]
            sums += [mean[f"seconds_model_{part}"] + mean[f"seconds_outside_{part}"] for part in PARTS]
            cells = [total / mean["n"] if mean["n"] else None for total in sums]
            rows.append([results.row_name(row), *cells])
    note = (
        "Mean over questions; by_question.csv has each. Seconds: what the answers took when they were paid "
        "for, and what was done outside the model."
    )
    return Table("What a question costs: answering, memory construction and repair", columns, rows, note)


def _table(results: Results, title: str, keys: list[str]) -> Table:
    catalogue = {measure["key"]: measure for measure in results.document["measures"]}
    columns = [Column("Program")]
    columns += [Column(catalogue[key]["name"], _KINDS.get(catalogue[key]["unit"], "amount")) for key in keys]
    rows = []
    for program in results.keys:
        for row in filter(None, (results.row(program), results.second(program))):
            mean, sd = row["mean"], row["sd"]
            cells = [None if mean[key] is None else Spread(mean[key], sd[key] or None) for key in keys]
            rows.append([results.row_name(row), *cells])
    return Table(title, columns, rows, _over(results))


def _over(results: Results) -> str:
    """What the mean is over, and what the deviation is of."""
    if results.differ:
        return "Mean over the orders named; ± the sample standard deviation where they differ."
    if len(results.common) < 2:
        return "One order."
    said = orders_said(results.common)
    return f"Mean over {said}; ± the sample standard deviation where they differ."
