"""Ratios of two figures from the same draws."""

from __future__ import annotations

import math

import numpy as np
import pytest

from sqlmend.eval.statistics import Quantity, ratio
from tests.eval.statistics.plain import ratio_interval


def pair(generator, above, below, resamples=2_000):
    """A gain and a headroom that go together."""
    common = generator.normal(size=resamples)
    return [
        Quantity(mean, mean + spread * (common + generator.normal(size=resamples)) / math.sqrt(2))
        for mean, spread in (above, below)
    ]


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("mean", [0.2, 0.051, -0.1])
def test_it_is_the_plain_one(seed, mean):
    gain, headroom = pair(np.random.default_rng(seed), (0.02, 0.02), (mean, 0.024))
    expected = ratio_interval(gain.drawn.tolist(), headroom.drawn.tolist())
    found = ratio(gain, headroom)
    if expected is None:
        assert (found.value, found.low, found.high) == (None, None, None)
        assert "told from zero" in found.undefined
        return
    assert found.undefined is None
    assert found.value == 0.02 / mean
    assert (found.low, found.high) == pytest.approx(expected)


@pytest.mark.parametrize("sign", [1, -1])
def test_it_is_undefined_exactly_where_the_denominators_interval_holds_zero(sign):
    gain = Quantity(0.01, np.full(1_000, 0.01))
    # The 2.5th percentile of 1,000 draws lies between the 25th and the 26th smallest.
    drawn = {n: Quantity(sign * 0.1, sign * np.array([0.0] * n + [0.1] * (1_000 - n))) for n in (25, 26)}
    assert ratio(gain, drawn[25]).undefined is None
    assert ratio(gain, drawn[26]).undefined
    low, high = drawn[26].interval()
    assert low <= 0 <= high


def test_draws_of_the_other_sign_lie_beyond_every_ratio():
    above = Quantity(1.0, np.full(1_000, 1.0))
    below = Quantity(2.0, np.array([-0.1] * 10 + [1.0] * 20 + [2.0] * 970))
    found = ratio(above, below)
    # Sorted: 970 of 1/2, 20 of 1, then the ten; the 97.5th percentile is the 975th.
    assert (found.value, found.low, found.high) == (0.5, 0.5, 1)
    # Counted as they stand, ratios of -10, the ten would come first and hide that it may be 1.
    assert Quantity(0.5, above.drawn / below.drawn).interval()[1] == 0.5


def test_nothing_over_nothing_does_not_count():
    above, below = (Quantity(0.1, np.array([value] * 90 + [0.0])) for value in (0.1, 0.2))
    found = ratio(above, below)
    assert (found.low, found.high) == (0.5, 0.5)


def test_what_is_never_defined_has_no_ratio():
    nothing = Quantity(math.nan, np.full(5, math.nan))
    assert ratio(Quantity(1.0, np.ones(5)), nothing).undefined


def test_both_must_come_from_the_same_draws():
    with pytest.raises(ValueError, match="same draws"):
        ratio(Quantity(1.0, np.ones(5)), Quantity(1.0, np.ones(6)))
