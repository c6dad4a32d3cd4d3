"""The cluster bootstrap of a paired difference: 1,500 questions, 3 orders, 10,000 resamples.

    python -m pytest benchmarks/bench_bootstrap.py --benchmark-enable

Once with every question a unit of its own (the slowest), once with groups of twins. The peer is scipy's
percentile bootstrap of the same statistic over the same units.
"""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import bootstrap

from sqlmend.eval.statistics import paired_bootstrap, unit_sums

QUESTIONS, ORDERS, RESAMPLES = 1_500, 3, 10_000
UNITS = {"questions": list(range(QUESTIONS)), "groups": [n // 3 for n in range(QUESTIONS)]}


def scores() -> tuple[np.ndarray, np.ndarray]:
    generator = np.random.default_rng(0)
    return tuple(generator.integers(0, 2, (2, QUESTIONS, ORDERS)))


@pytest.mark.parametrize("units", UNITS)
def test_ours(benchmark, units):
    first, second = scores()
    found = benchmark(paired_bootstrap, first, second, UNITS[units], resamples=RESAMPLES)
    assert found.low < found.value < found.high


@pytest.mark.parametrize("units", UNITS)
def test_scipy(benchmark, units):
    first, second = scores()
    gaps = (first - second).mean(axis=1)
    sums, sizes = unit_sums(np.column_stack([gaps, np.ones(QUESTIONS)]), UNITS[units]).T

    def run():
        return bootstrap(
            (sums, sizes),
            lambda a, b, axis=-1: a.sum(axis=axis) / b.sum(axis=axis),
            paired=True,
            method="percentile",
            n_resamples=RESAMPLES,
            batch=1_000,
            rng=np.random.default_rng(0),
        )

    found = benchmark(run)
    assert found.confidence_interval.low < found.confidence_interval.high
