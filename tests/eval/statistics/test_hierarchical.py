"""The two-stage bootstrap, against loops over lists and by what must hold."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.eval.statistics import cluster_weights, hierarchical_weights, resample, unit_sums
from tests.eval.statistics.plain import hierarchical_draws, mean_of, percentile


def table(seed):
    """Questions of databases and groups of uneven size, whose scores differ by both; clusters interleaved."""
    generator = np.random.default_rng(seed)
    rows = []
    for database in range(int(generator.integers(5, 9))):
        lift = generator.normal(0, 0.5)
        for group in range(int(generator.integers(3, 15))):
            common = generator.normal(lift, 1)
            for _ in range(int(generator.integers(1, 4))):
                rows.append((database, group, *generator.normal(common, 0.5, 2).tolist()))
    generator.shuffle(rows)
    return [(int(d), int(g), first, second) for d, g, first, second in rows]


@pytest.mark.parametrize("seed", range(4))
def test_it_agrees_with_loops_within_the_error_of_the_resamples(seed):
    rows = table(seed)
    units = [(d, g) for d, g, _, _ in rows]
    clusters = [d for d, _ in dict.fromkeys(units)]
    sums = unit_sums([[first, second, 1] for _, _, first, second in rows], units)
    drawn = resample(sums, hierarchical_weights(clusters, 20_000, seed))
    mine = [drawn.ratio([0], [2]), drawn.ratio([1], [2])]
    nested = [
        [[row[2:] for row in rows if row[:2] == (d, g)] for g in sorted({r[1] for r in rows if r[0] == d})]
        for d in sorted({r[0] for r in rows})
    ]
    theirs = hierarchical_draws(nested, [mean_of(0), mean_of(1)], 2_000, seed)
    for ours, plain in zip([*mine, mine[0] - mine[1]], [*theirs, np.subtract(*theirs).tolist()], strict=True):
        # Standard errors, in deviations, of 2,000 draws: mean 0.022, deviation 0.016, 2.5th percentile 0.06.
        assert ours.drawn.mean() == pytest.approx(np.mean(plain), abs=0.1 * ours.se)
        assert ours.se == pytest.approx(np.std(plain, ddof=1), rel=0.08)
        low, high = ours.interval()
        assert low == pytest.approx(percentile(plain, 0.025), abs=0.26 * ours.se)
        assert high == pytest.approx(percentile(plain, 0.975), abs=0.26 * ours.se)


@given(st.lists(st.integers(0, 5), min_size=1, max_size=40), st.integers(1, 60), st.integers(0, 5))
def test_each_copy_of_a_cluster_draws_as_many_units_as_it_has(clusters, resamples, seed):
    weights = np.concatenate(list(hierarchical_weights(clusters, resamples, seed)))
    assert weights.shape == (resamples, len(clusters))
    copies = np.zeros(resamples)
    for cluster in set(clusters):
        columns = [place for place, other in enumerate(clusters) if other == cluster]
        drawn = weights[:, columns].sum(axis=1)
        assert not (drawn % len(columns)).any()
        copies += drawn / len(columns)
    assert (copies == len(set(clusters))).all()


def test_the_spread_is_that_of_both_stages():
    # A cluster is drawn Binomial(4, 1/4) times; given c copies of 5 units, a unit Binomial(5 c, 1/5) times.
    clusters = [n // 5 for n in range(20)]
    weights = np.concatenate(list(hierarchical_weights(clusters, 20_000, 0)))
    assert weights.mean(axis=0) == pytest.approx(np.ones(20), abs=0.06)  # standard error 0.009
    # E(var) + var(E) = 5 x 1/5 x 4/5 + 3/4.
    assert weights.var(axis=0) == pytest.approx(np.full(20, 1.55), abs=0.15)
    # Two units of a cluster: var(c) - 5 / 25; of two clusters: the covariance of the copies, -1/4.
    covariance = np.cov(weights.T)
    assert covariance[0, 1] == pytest.approx(0.55, abs=0.08)
    assert covariance[0, 7] == pytest.approx(-0.25, abs=0.05)


def test_one_cluster_is_the_bootstrap_of_its_units():
    one = np.concatenate(list(hierarchical_weights(["d"] * 30, 10_000, 1)))
    flat = np.concatenate(list(cluster_weights(30, 10_000, 2)))
    assert one.mean() == flat.mean() == 1
    assert one.var() == pytest.approx(flat.var(), rel=0.02)


def test_clusters_of_one_unit_are_the_bootstrap_of_clusters():
    weights = np.concatenate(list(hierarchical_weights(range(30), 10_000, 1)))
    assert (weights.sum(axis=1) == 30).all()
    assert weights.var() == pytest.approx(29 / 30, rel=0.02)


def test_equal_seeds_give_equal_weights_and_blocks_stay_small():
    clusters = [n % 11 for n in range(3000)]
    one, same, other = (list(hierarchical_weights(clusters, 150, seed)) for seed in (1, 1, 2))
    assert len(one) > 1
    assert max(block.nbytes for block in one) <= 1 << 20
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one[0], other[0])


@pytest.mark.parametrize("numbers", [([], 10), (["d"], 0)])
def test_nothing_to_draw_is_refused(numbers):
    with pytest.raises(ValueError, match="at least 1"):
        next(hierarchical_weights(*numbers, 0))
