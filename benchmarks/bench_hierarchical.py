"""The two-stage bootstrap of a paired contrast: 11 databases, 1,500 questions, 3 seeds, 10,000 resamples.

    python -m pytest benchmarks/bench_hierarchical.py --benchmark-enable

Once with every question a unit of its own (the slowest), once with groups of twins: the difference with its
interval, p and equivalence, and the crystallization ratio. Databases are of uneven size, as BIRD's are.
"""

from __future__ import annotations

import numpy as np
import pytest

from sqlmend.eval.crystallization._contrast import Outcomes, contrast
from sqlmend.eval.crystallization._worth import crystallization_ratio

QUESTIONS, DATABASES, SEEDS = 1_500, 11, (42, 7, 13)
TWINS = {"questions": 1, "groups": 3}


def conditions(twins: int) -> list[Outcomes]:
    """Without memory, with it, and after repair."""
    generator = np.random.default_rng(0)
    sizes = generator.multinomial(QUESTIONS // 3, generator.dirichlet(np.full(DATABASES, 5))) * 3
    databases = tuple(f"d{n}" for n in np.repeat(np.arange(DATABASES), sizes))
    ids = tuple(f"q{n}" for n in range(QUESTIONS))
    groups = tuple(n // twins for n in range(QUESTIONS))
    latent = generator.random((QUESTIONS, len(SEEDS)))
    return [Outcomes(ids, databases, groups, SEEDS, latent < chance) for chance in (0.5, 0.55, 0.6)]


@pytest.mark.parametrize("twins", TWINS)
def test_contrast(benchmark, twins):
    without, memory, _ = conditions(TWINS[twins])
    found = benchmark(contrast, memory, without)
    assert (found.databases, found.questions, found.seeds) == (DATABASES, QUESTIONS, len(SEEDS))
    assert found.low < found.value < found.high


@pytest.mark.parametrize("twins", TWINS)
def test_ratio(benchmark, twins):
    without, memory, repaired = conditions(TWINS[twins])
    found = benchmark(crystallization_ratio, memory, without, repaired)
    assert found.ratio.low < found.ratio.value < found.ratio.high
