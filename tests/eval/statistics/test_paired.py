"""The cluster bootstrap of a paired difference, held against scipy's."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import bootstrap

from sqlmend.eval.statistics import paired_bootstrap


def scores(questions, orders, seed):
    """Scores of two programs that go together: most questions are right or wrong for both."""
    generator = np.random.default_rng(seed)
    chance = generator.beta(0.5, 0.5, size=(questions, 1))
    return [(generator.random((questions, orders)) < chance + shift).astype(int) for shift in (0.05, 0.0)]


def equal_units(questions):
    return [n // 4 for n in range(questions)]


def unequal_units(questions):
    return [int(n**0.5) for n in range(questions)]


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize("units", [equal_units(240), list(range(240)), unequal_units(240)])
def test_it_agrees_with_scipy_within_the_error_of_10_000_resamples(units, seed):
    first, second = scores(240, 3, seed)
    mine = paired_bootstrap(first, second, units, seed=seed)
    gaps = (first - second).mean(axis=1)
    order = sorted(set(units))
    sums = np.array([gaps[np.array(units) == unit].sum() for unit in order])
    sizes = np.array([(np.array(units) == unit).sum() for unit in order])
    theirs = bootstrap(
        (sums, sizes),
        lambda a, b, axis=-1: a.sum(axis=axis) / b.sum(axis=axis),
        paired=True,
        method="percentile",
        n_resamples=10_000,
        batch=1_000,
        rng=np.random.default_rng(seed + 100),
    )
    # The 2.5th percentile of 10,000 draws has a standard error of 0.027 deviations, the gap of two 0.038.
    tolerance = 4 * 0.038 * theirs.standard_error
    assert mine.value == pytest.approx(sums.sum() / sizes.sum())
    assert mine.low == pytest.approx(theirs.confidence_interval.low, abs=tolerance)
    assert mine.high == pytest.approx(theirs.confidence_interval.high, abs=tolerance)
    assert mine.se == pytest.approx(theirs.standard_error, rel=0.05)


def test_with_units_of_one_size_it_is_the_bootstrap_of_their_means():
    first, second = scores(240, 2, 5)
    mine = paired_bootstrap(first, second, equal_units(240))
    means = (first - second).mean(axis=1).reshape(60, 4).mean(axis=1)
    theirs = bootstrap(
        (means,), np.mean, method="percentile", n_resamples=10_000, rng=np.random.default_rng(3)
    )
    assert mine.low == pytest.approx(theirs.confidence_interval.low, abs=0.15 * theirs.standard_error)
    assert mine.high == pytest.approx(theirs.confidence_interval.high, abs=0.15 * theirs.standard_error)


def test_a_large_difference_is_separated_and_needs_no_more_questions():
    found = paired_bootstrap([1] * 30 + [0] * 10, [0] * 30 + [0] * 10, range(40))
    assert found.value == 0.75
    assert found.separated
    assert found.low > 0.5
    assert found.p == pytest.approx(2 / 10_001)
    assert found.questions_needed is None


def test_a_difference_that_may_be_none_is_not_separated():
    found = paired_bootstrap([1] * 6 + [0] * 94, [0] * 3 + [1] * 3 + [0] * 91 + [1] * 3, range(100))
    assert found.value == 0
    assert not found.separated
    assert found.low < 0 < found.high
    assert found.questions_needed is None  # there is nothing to find
    some = paired_bootstrap([1] * 9 + [0] * 91, [0] * 9 + [1] * 6 + [0] * 85, range(100))
    assert not some.separated
    assert some.questions_needed > 500


def test_twins_that_win_together_make_it_less_sure():
    first, second = [1] * 12 + [0] * 48, [0] * 60
    alone = paired_bootstrap(first, second, range(60))
    grouped = paired_bootstrap(first, second, [n // 12 for n in range(60)])
    assert alone.separated
    assert not grouped.separated  # one group of five
    assert grouped.se > 2 * alone.se


def test_few_units_never_separate_however_they_go():
    found = paired_bootstrap([1] * 5, [0] * 5, range(5))
    assert (found.low, found.high) == (1, 1)
    assert not found.separated
    assert found.p == 2**-4
    assert paired_bootstrap([1] * 6, [0] * 6, range(6)).separated


@pytest.mark.parametrize(("resamples", "separated"), [(10, False), (38, False), (39, True), (1_000, True)])
def test_so_few_resamples_that_p_is_too_large_never_separate(resamples, separated):
    found = paired_bootstrap([1] * 30 + [0] * 10, [0] * 30 + [0] * 10, range(40), resamples=resamples)
    assert found.low > 0
    assert found.p == pytest.approx(2 / (1 + resamples))
    assert found.separated is separated
    assert found.questions_needed is None  # it is resamples that lack


def test_no_difference_at_all():
    found = paired_bootstrap([[1, 0, 1]] * 7, [[0, 1, 1]] * 7, range(7))
    assert (found.value, found.low, found.high, found.p, found.separated) == (0, 0, 0, 1, False)
    assert found.questions_needed is None


def test_equal_seeds_give_equal_results():
    first, second = scores(50, 2, 3)
    same = [paired_bootstrap(first, second, range(50), seed=4) for _ in range(2)]
    assert same[0] == same[1] != paired_bootstrap(first, second, range(50), seed=5)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 10_000), st.integers(1, 30), st.integers(1, 3))
def test_turned_round_it_is_its_mirror_image(seed, questions, orders):
    generator = np.random.default_rng(seed)
    first, second = generator.integers(0, 2, (2, questions, orders))
    units = generator.integers(0, 8, questions).tolist()
    there = paired_bootstrap(first, second, units, resamples=200)
    back = paired_bootstrap(second, first, units, resamples=200)
    assert there.low <= there.high
    assert there.value == -back.value
    assert (there.p, there.separated) == (back.p, back.separated)
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low), abs=1e-12)


@pytest.mark.parametrize(
    ("first", "second", "units"),
    [([1, 0], [1], [0, 1]), ([1], [1], [0, 1]), ([], [], []), ([[1, 1]], [[1]], [0])],
)
def test_scores_that_do_not_fit_are_refused(first, second, units):
    with pytest.raises(ValueError, match="same orders"):
        paired_bootstrap(first, second, units)
