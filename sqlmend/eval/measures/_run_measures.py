"""The measures of one run, and their mean and spread over orders."""

from __future__ import annotations

import statistics
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from sqlmend.eval._apart import PARTS
from sqlmend.eval.measures._figures import Figures, total

#: A measure is None where it is a share of nothing.
Measures = dict[str, float | None]

_FILES = ("measures.yaml", "measures_apart.yaml")
#: What is told of a cost by part.
_APART = ("calls", "prompt_tokens", "output_tokens", "tokens", "seconds_model", "seconds_outside")


@cache
def catalogue() -> tuple[dict[str, Any], ...]:
    """The measures: key, name, unit, which way is better, definition."""
    folder = files("sqlmend.eval.measures")
    return tuple(row for name in _FILES for row in yaml.safe_load(folder.joinpath(name).read_text("utf-8")))


def run_measures(figures: Sequence[Figures], budget: int) -> Measures:
    """The measures of one run; what each of them means is in ``catalogue``.

    Args:
        figures: The episodes.
        budget: Revisions at most, which an unrepaired failure counts.
    """
    n = len(figures)
    failed = sum(f.failed for f in figures)
    repaired = sum(f.repaired for f in figures)
    revisions = sum(f.revisions for f in figures)
    repeats = sum(f.repeats for f in figures)
    cost = total(f.cost for f in figures)
    parts = apart(figures)
    found: Measures = {
        "n": n,
        "errors": sum(f.error is not None for f in figures),
        "ex_before": share(sum(f.before for f in figures), n),
        "ex_after": share(sum(f.after for f in figures), n),
        "failed_initially": failed,
        "repaired": repaired,
        "repair_rate": share(repaired, failed),
        "revisions": revisions,
        "repair_steps": share(sum(f.repair_steps(budget) for f in figures), failed),
        "repeats": repeats,
        "oscillation": share(repeats, revisions),
        "calls": cost.calls,
        "prompt_tokens": cost.prompt_tokens,
        "output_tokens": cost.output_tokens,
        "tokens": cost.tokens,
        "tokens_per_question": share(cost.tokens, n),
        **{f"{name}_repair": parts[f"{name}_repair"] for name in _APART[:4]},
        "cached_tokens": cost.cached_tokens,
        "calls_paid": cost.calls_paid,
        "cut_off": cost.cut_off,
        "seconds_model": round(cost.seconds_model, 3),
        "seconds_outside": round(cost.seconds_outside, 3),
        **parts,
    }
    return found


def apart(figures: Sequence[Figures], names: Sequence[str] = _APART) -> dict[str, float]:
    """Sums of the costs of answering, memory construction and repair, as ``calls_answering`` and so on.

    Args:
        figures: The episodes.
        names: What is summed up of their costs.
    """
    costs = {part: total(getattr(f, part) for f in figures) for part in PARTS}
    return {f"{name}_{part}": round(getattr(cost, name), 3) for part, cost in costs.items() for name in names}


def of_question(figures: Figures) -> dict[str, float]:
    """Calls, tokens and seconds of one episode, apart."""
    return apart([figures], ("calls", "tokens", "seconds_model", "seconds_outside"))


def over_orders(runs: Sequence[Mapping[str, float | None]]) -> tuple[Measures, Measures]:
    """Mean and sample standard deviation of each measure, over the runs that have it.

    The mean is None where no run has it, the deviation where fewer than two have.
    """
    columns = {key: defined(run[key] for run in runs) for key in runs[0]}
    return {key: mean(values) for key, values in columns.items()}, {
        key: deviation(values) for key, values in columns.items()
    }


def share(part: float, whole: float) -> float | None:
    """``part / whole``, None where there is nothing."""
    return part / whole if whole else None


def defined(values: Iterable[float | None]) -> list[float]:
    """Those that are not None."""
    return [value for value in values if value is not None]


def mean(values: Sequence[float]) -> float | None:
    """The mean, None of nothing."""
    return statistics.fmean(values) if values else None


def deviation(values: Sequence[float]) -> float | None:
    """The sample standard deviation, None of fewer than two."""
    return statistics.stdev(values) if len(values) > 1 else None
