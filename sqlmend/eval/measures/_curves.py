"""Learning curves: how much is repaired, and how much is right, as the stream goes on."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from sqlmend.eval.measures._comparison import Comparison
from sqlmend.eval.measures._figures import Figures
from sqlmend.eval.measures._run_measures import defined, deviation, mean, share

#: A curve has at most so many points.
PARTS = 10


def curves(comparison: Comparison) -> list[dict[str, Any]]:
    """A curve for each condition, over its orders; see ``results``."""
    return [
        {
            **condition.to_dict(),
            "orders": comparison.orders(condition),
            "points": _points([run.figures for run in runs]),
        }
        for condition in comparison.conditions
        if (runs := comparison.runs_of(condition))
    ]


def _points(streams: Sequence[Sequence[Figures]]) -> list[dict[str, Any]]:
    n = len(streams[0])
    parts = min(PARTS, n)
    ends = [n * part // parts for part in range(parts + 1)]
    points = []
    for start, end in pairwise(ends):
        part = [figures for stream in streams for figures in stream[start:end]]
        failed, repaired = _failed(part), _repaired(part)
        so_far = defined(share(_repaired(stream[:end]), _failed(stream[:end])) for stream in streams)
        right = [sum(f.after for f in stream[:end]) / end for stream in streams]
        points.append(
            {
                "until": end,
                "failed": failed,
                "repaired": repaired,
                "share": share(repaired, failed),
                "cumulative": mean(so_far),
                "cumulative_sd": deviation(so_far),
                "ex": mean(right),
                "ex_sd": deviation(right),
            }
        )
    return points


def _failed(figures: Sequence[Figures]) -> int:
    return sum(f.failed for f in figures)


def _repaired(figures: Sequence[Figures]) -> int:
    return sum(f.repaired for f in figures)
