"""From attempts to rates, with intervals over scenarios."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlmend.eval.notes_measure._arms import FIRST, OUTCOMES
from sqlmend.eval.notes_measure._scenario import KINDS
from sqlmend.eval.statistics import cluster_weights, paired_bootstrap, resample, unit_sums

_RESAMPLES = 10_000
_ALL = "all"

Attempts = Sequence[Mapping[str, Any]]


def summarize(attempts: Attempts, arms: Sequence[str], *, seed: int = 0) -> dict[str, Any]:
    """The results of a measurement.

    Only where a first statement failed and left a note are there arms, so that nothing else counts. Rates
    are shares of an arm's attempts; their intervals come from a bootstrap that draws whole scenarios.

    Args:
        attempts: The records of ``attempts.jsonl``.
        arms: Names of the arms, in order.
        seed: Of the bootstrap.

    Returns:
        Plain values: ``first`` (what the first attempts came to, by kind of scenario), ``rates`` (by kind and
        arm: n, scenarios, and each outcome's count, rate and 95 % interval; ``same``: the draft again, case,
        space and comments aside), and ``differences`` (by kind and pair of arms: the later arm's rate minus
        the earlier one's, with its interval).
    """
    kinds = [_ALL, *KINDS]
    of_kind = {kind: [row for row in attempts if kind in (_ALL, row["kind"])] for kind in kinds}
    pairs = [(arms[high], arms[low]) for high in range(len(arms)) for low in range(high)]
    return {
        "first": {kind: _first(of_kind[kind]) for kind in kinds},
        "rates": {kind: {arm: _rates(_of(of_kind[kind], arm), seed) for arm in arms} for kind in kinds},
        "differences": {
            kind: {
                f"{one} - {other}": _differences(_of(of_kind[kind], one), _of(of_kind[kind], other), seed)
                for one, other in pairs
            }
            for kind in kinds
        },
    }


def _of(attempts: Attempts, arm: str) -> Attempts:
    return [row for row in attempts if row["arm"] == arm]


def _first(attempts: Attempts) -> dict[str, Any]:
    first = _of(attempts, FIRST)
    counts = Counter(row["outcome"] for row in first)
    noted = [row for row in first if row["note"] is not None]
    return {
        "n": len(first),
        **{outcome: counts[outcome] for outcome in OUTCOMES},
        "noted": len(noted),
        "classes": dict(sorted(Counter(row["error_class"] for row in noted).items())),
    }


def _hits(row: Mapping[str, Any]) -> list[int]:
    return [*(int(row["outcome"] == outcome) for outcome in OUTCOMES), int(row["same"])]


def _rates(attempts: Attempts, seed: int) -> dict[str, Any]:
    found: dict[str, Any] = {"n": len(attempts), "scenarios": len({row["scenario"] for row in attempts})}
    if not attempts:
        return found
    table = [[*_hits(row), 1] for row in attempts]
    sums = unit_sums(table, [row["scenario"] for row in attempts])
    drawn = resample(sums, cluster_weights(len(sums), _RESAMPLES, seed))
    for place, name in enumerate((*OUTCOMES, "same")):
        quantity = drawn.ratio([place], [len(OUTCOMES) + 1])
        low, high = quantity.interval()
        count = sum(row[place] for row in table)
        found[name] = {"count": count, "rate": quantity.value, "low": low, "high": high}
    return found


def _differences(one: Attempts, other: Attempts, seed: int) -> dict[str, Any]:
    """Differences over the first attempts that both arms have answered."""
    keyed = {(row["scenario"], row["draw"]): row for row in other}
    pairs = [(row, keyed[key]) for row in one if (key := (row["scenario"], row["draw"])) in keyed]
    found: dict[str, Any] = {"n": len(pairs)}
    if not pairs:
        return found
    units = [row["scenario"] for row, _ in pairs]
    for place, name in enumerate((*OUTCOMES, "same")):
        first, second = ([_hits(row)[place] for row in side] for side in zip(*pairs, strict=True))
        gap = paired_bootstrap(first, second, units, resamples=_RESAMPLES, seed=seed)
        found[name] = {
            "difference": gap.value,
            "low": _plain(gap.low),
            "high": _plain(gap.high),
            "separated": gap.separated,
        }
    return found


def _plain(value: float) -> float | None:
    return None if math.isnan(value) else value
