"""Two one-sided tests, against a plain implementation and by hand."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.eval.statistics import Quantity, equivalence
from tests.eval.statistics.plain import tost


@given(
    st.lists(st.floats(-0.1, 0.1), min_size=1, max_size=300),
    st.floats(0.001, 0.2),
    st.integers(1, 400),
)
def test_it_is_the_plain_one(drawn, margin, units):
    found = equivalence(Quantity(0.0, np.array(drawn)), margin, units=units)
    low, high, p, equivalent = tost(drawn, margin, units)
    assert (found.low, found.high, found.p) == pytest.approx((low, high, p), abs=1e-12)
    if all(abs(abs(end) - margin) > 1e-12 for end in (low, high)):
        assert found.equivalent == equivalent


@pytest.mark.parametrize("seed", range(4))
def test_of_random_distributions_too(seed):
    generator = np.random.default_rng(seed)
    for spread in (0.002, 0.01, 0.015, 0.03):
        drawn = generator.normal(generator.normal(0, 0.01), spread, 2_000)
        found = equivalence(Quantity(0.0, drawn), units=500)
        assert (found.low, found.high, found.p, found.equivalent) == pytest.approx(
            tost(drawn.tolist(), 0.025, 500)
        )
        # The interval of 90 % and the two tests at 5 % are one decision, but for the one that is added.
        assert found.equivalent == (found.p <= 0.05) or found.p == pytest.approx(0.05, abs=2e-3)


@pytest.mark.parametrize(
    ("drawn", "p", "equivalent"),
    [
        ([-0.03, -0.02, 0.0, 0.01], 2 / 5, False),
        ([-0.01, 0.0, 0.01, 0.02], 1 / 5, True),
        ([-0.025, -0.025, 0.0, 0.04], 3 / 5, False),  # at the margin is beyond it
        ([0.05, 0.05], 1, False),
    ],
)
def test_by_hand(drawn, p, equivalent):
    found = equivalence(Quantity(0.0, np.array(drawn)), 0.025, units=1_000)
    assert (found.margin, found.p, found.equivalent) == (0.025, pytest.approx(p), equivalent)


def test_resamples_without_the_figure_do_not_count():
    drawn = np.array([math.nan, 0.0, 0.01, math.nan])
    assert equivalence(Quantity(0.0, drawn), units=1_000).p == pytest.approx(1 / 3)


def test_too_few_units_are_never_the_same():
    # 0.975^118 = 0.0504, 0.975^119 = 0.0492
    nothing = Quantity(0.0, np.zeros(1_000))
    few, enough = (equivalence(nothing, units=units) for units in (118, 119))
    assert (few.p, few.equivalent) == (pytest.approx(0.0504, abs=1e-4), False)
    assert (enough.p, enough.equivalent) == (pytest.approx(0.0492, abs=1e-4), True)


@pytest.mark.parametrize("margin", [0, 1, -0.025, 2.5, math.nan])
def test_a_margin_is_a_share(margin):
    with pytest.raises(ValueError, match="between 0 and 1"):
        equivalence(Quantity(0.0, np.zeros(3)), margin, units=3)
