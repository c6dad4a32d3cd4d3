"""Every measure of every program: mean and standard deviation over orders."""

from __future__ import annotations

from sqlmend.eval.report._blocks import Facts, Section, Table
from sqlmend.eval.report._cells import Column, Spread
from sqlmend.eval.report._compare._read import Results

#: Unit of a measure to the kind of its column.
_KINDS = {"share": "share", "seconds": "tenths", "tokens": "count"}
_GROUPS = (
    (
        "Repair",
        "n errors ex_before ex_after failed_initially repaired repair_rate "
        "revisions repair_steps repeats oscillation",
    ),
    (
        "Cost",
        "calls tokens prompt_tokens output_tokens tokens_per_question calls_repair tokens_repair "
        "prompt_tokens_repair output_tokens_repair cached_tokens calls_paid seconds_model seconds_outside",
    ),
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
    return Section("All measures", "measures", [*tables, meanings])


def _table(results: Results, title: str, keys: list[str]) -> Table:
    catalogue = {measure["key"]: measure for measure in results.document["measures"]}
    columns = [Column("Program")]
    columns += [Column(catalogue[key]["name"], _KINDS.get(catalogue[key]["unit"], "amount")) for key in keys]
    rows = []
    for program in results.keys:
        for row in filter(None, (results.row(program), results.second(program))):
            mean, sd = row["mean"], row["sd"]
            cells = [None if mean[key] is None else Spread(mean[key], sd[key] or None) for key in keys]
            rows.append([results.name(program, row["same_group"]), *cells])
    orders = results.provenance["orders"]
    note = (
        f"Mean over orders {', '.join(map(str, orders))}; ± the sample standard deviation where they differ."
    )
    return Table(title, columns, rows, note if len(orders) > 1 else "One order.")
