"""The figures of a program by what the questions are like."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from sqlmend.eval.measures._comparison import Comparison, Condition
from sqlmend.eval.measures._features import FEATURES
from sqlmend.eval.measures._figures import NOT_RUN, UNDECIDABLE, Figures
from sqlmend.eval.measures._run_measures import defined, deviation, share
from sqlmend.modules import FAILURE_TYPES

#: What stands for a difficulty that the benchmark does not give.
UNKNOWN = "unknown"

_Values = Callable[[Figures], Iterable[str]]

#: Breakdown to the values that an episode counts under; features are of the query that the program wrote
#: first, never of the reference, which the oracle alone has seen.
_BY: Mapping[str, _Values] = {
    "difficulty": lambda figures: [figures.difficulty or UNKNOWN],
    "database": lambda figures: [figures.db_id],
    "feature": lambda figures: figures.features,
    "failure_type": lambda figures: [figures.failure_type] if figures.failure_type else [],
}
#: Values in the order of reports, other values behind them by name; the benchmarks' own words.
_ORDERS: Mapping[str, Sequence[str]] = {
    "difficulty": ("easy", "simple", "medium", "moderate", "hard", "challenging", "extra", UNKNOWN),
    "feature": FEATURES,
    "failure_type": (*dict.fromkeys(FAILURE_TYPES.values()), UNDECIDABLE, NOT_RUN),
}


def breakdowns(comparison: Comparison) -> list[dict[str, Any]]:
    """Rows by difficulty, database, SQL feature and initial failure type; see ``results``."""
    return [
        row
        for by, values in _BY.items()
        for value in _values(comparison, by, values)
        for condition in comparison.conditions
        if (row := _row(comparison, condition, by, value, values)) is not None
    ]


def _values(comparison: Comparison, by: str, values: _Values) -> list[str]:
    found = {
        value for run in comparison.runs.values() for figures in run.figures for value in values(figures)
    }
    known = [value for value in _ORDERS.get(by, ()) if value in found]
    return [*known, *sorted(found.difference(known))]


def _row(
    comparison: Comparison, condition: Condition, by: str, value: str, values: _Values
) -> dict[str, Any] | None:
    runs = [[f for f in run.figures if value in values(f)] for run in comparison.runs_of(condition)]
    everything = [figures for run in runs for figures in run]
    if not everything:
        return None
    failed, repaired = sum(f.failed for f in everything), sum(f.repaired for f in everything)
    return {
        "by": by,
        "value": value,
        **condition.to_dict(),
        "orders": comparison.orders(condition),
        "n": len(everything),
        "failed": failed,
        "repaired": repaired,
        "ex_before": share(sum(f.before for f in everything), len(everything)),
        "ex_after": share(sum(f.after for f in everything), len(everything)),
        "ex_after_sd": deviation(defined(share(sum(f.after for f in run), len(run)) for run in runs)),
        "repair_rate": share(repaired, failed),
    }
