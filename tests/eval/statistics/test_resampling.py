"""Units, their sums and their weights."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.eval.statistics import cluster_weights, resample, unit_sums


def test_rows_of_a_unit_are_added_and_units_keep_the_order_of_their_first_row():
    sums = unit_sums([[1, 10], [2, 20], [4, 40]], ["b", "a", "b"])
    assert sums.tolist() == [[5, 50], [2, 20]]


def test_a_flat_list_is_one_column():
    assert unit_sums([1, 2, 4], [0, 1, 0]).tolist() == [[5], [2]]


@pytest.mark.parametrize(
    ("values", "units"),
    [([1, 2], [0]), ([], []), ([float("nan")], [0]), ([float("inf")], [0]), ([[[1]]], [0])],
)
def test_bad_values_are_refused(values, units):
    with pytest.raises(ValueError, match="values must be"):
        unit_sums(values, units)


@given(st.integers(1, 40), st.integers(1, 60), st.integers(0, 5))
def test_every_resample_draws_as_many_units_as_there_are(units, resamples, seed):
    weights = np.concatenate(list(cluster_weights(units, resamples, seed)))
    assert weights.shape == (resamples, units)
    assert (weights.sum(axis=1) == units).all()


def test_equal_seeds_give_equal_weights_and_blocks_stay_small():
    one, same, other = (list(cluster_weights(3000, 700, seed)) for seed in (1, 1, 2))
    assert len(one) > 1
    assert max(block.nbytes for block in one) <= 1 << 20
    assert all(np.array_equal(a, b) for a, b in zip(one, same, strict=True))
    assert not np.array_equal(one[0], other[0])


def test_each_unit_is_drawn_alike():
    weights = np.concatenate(list(cluster_weights(5, 20_000, 0)))
    assert weights.mean(axis=0) == pytest.approx(np.ones(5), abs=0.03)  # standard error 0.006
    assert weights.var(axis=0) == pytest.approx(np.full(5, 0.8), abs=0.05)


@pytest.mark.parametrize("numbers", [(0, 10), (10, 0)])
def test_nothing_to_draw_is_refused(numbers):
    with pytest.raises(ValueError, match="at least 1"):
        next(cluster_weights(*numbers, 0))


def test_columns_are_drawn_together():
    sums = unit_sums([[1, 2], [3, 6], [5, 10]], [0, 1, 2])
    drawn = resample(sums, cluster_weights(3, 100, 0))
    assert drawn.observed.tolist() == [9, 18]
    assert (drawn.drawn[:, 1] == 2 * drawn.drawn[:, 0]).all()


def test_a_ratio_is_not_defined_where_its_denominator_is_zero():
    drawn = resample(np.array([[1.0, 1.0], [0.0, 0.0]]), iter([np.array([[0.0, 2.0], [1.0, 1.0]])]))
    ratio = drawn.ratio([0], [1])
    assert ratio.value == 1
    assert np.isnan(ratio.drawn[0])
    assert ratio.interval() == (1, 1)  # the resample that has none does not count
    assert np.isnan(resample(np.zeros((2, 2)), cluster_weights(2, 5, 0)).ratio([0], [1]).interval()).all()


def test_any_other_scheme_of_weights_goes_through_the_same_functions():
    # Two levels: one of two blocks of units is drawn twice, then units within it.
    weights = iter([np.array([[2.0, 2.0, 0.0, 0.0], [1.0, 1.0, 2.0, 0.0]])])
    drawn = resample(unit_sums([[1, 1], [0, 1], [1, 1], [1, 1]], range(4)), weights)
    assert drawn.ratio([0], [1]).drawn.tolist() == [0.5, 0.75]
