"""A figure with its bootstrap distribution."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sqlmend.eval.statistics import Quantity


def test_the_interval_is_between_percentiles():
    quantity = Quantity(50.0, np.arange(101.0))
    assert quantity.interval() == pytest.approx((2.5, 97.5))
    assert quantity.interval(0.5) == pytest.approx((25, 75))


@pytest.mark.parametrize("level", [0, 1, 95])
def test_a_level_is_a_share(level):
    with pytest.raises(ValueError, match="between 0 and 1"):
        Quantity(0.0, np.zeros(3)).interval(level)


@pytest.mark.parametrize(
    ("drawn", "p"),
    [
        ([1, 2, 3, 4], 2 * 1 / 5),
        ([-1, -2, -3, -4], 2 * 1 / 5),
        ([-1, 2, 3, 4, 5, 6, 7, 8, 9], 2 * 2 / 10),
        ([-1, 1], 1),
        ([0, 0, 0], 1),
        ([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10], 2 * 2 / 12),
    ],
)
def test_p_counts_resamples_on_the_other_side_of_zero(drawn, p):
    assert Quantity(0.0, np.array(drawn, dtype=float)).p == pytest.approx(p)


def test_a_difference_is_taken_resample_by_resample():
    difference = Quantity(3.0, np.array([1.0, 5.0])) - Quantity(1.0, np.array([1.0, 2.0]))
    assert (difference.value, difference.drawn.tolist()) == (2, [0, 3])
    assert difference.se == pytest.approx(np.std([0, 3], ddof=1))


def test_a_figure_that_is_never_defined_says_nothing():
    nothing = Quantity(math.nan, np.full(5, math.nan))
    assert math.isnan(nothing.se)
    assert nothing.p == 1
