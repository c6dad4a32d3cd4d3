"""Holm's correction, McNemar's test and how many questions are needed, by hand and against scipy."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from sqlmend.eval.statistics import holm, least_p, mcnemar, questions_needed


@pytest.mark.parametrize(
    ("given_p", "adjusted"),
    [
        ([], []),
        ([0.03], [0.03]),
        ([0.01, 0.04, 0.03], [0.03, 0.06, 0.06]),  # 3 x 0.01; 2 x 0.03; max(0.06, 1 x 0.04)
        ([0.04, 0.01, 0.03, 0.005], [0.06, 0.03, 0.06, 0.02]),
        ([0.5, 0.9], [1.0, 1.0]),
        ([0.02, 0.02], [0.04, 0.04]),
    ],
)
def test_holm_by_hand(given_p, adjusted):
    assert holm(given_p) == pytest.approx(adjusted)


@given(st.lists(st.floats(0, 1), max_size=12))
def test_holm_keeps_the_order_and_only_raises(values):
    adjusted = holm(values)
    assert all(p <= q <= 1 for p, q in zip(values, adjusted, strict=True))
    pairs = sorted(zip(values, adjusted, strict=True))
    assert [q for _, q in pairs] == sorted(adjusted)


@pytest.mark.parametrize("bad", [[1.1], [-0.1], [float("nan")]])
def test_what_is_no_p_is_refused(bad):
    with pytest.raises(ValueError, match="0 to 1"):
        holm(bad)


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [(0, 0, 1), (1, 0, 1), (5, 0, 0.0625), (6, 0, 0.03125), (3, 1, 0.625), (8, 2, 112 / 1024)],
)
def test_mcnemar_by_hand(wins, losses, p):
    assert mcnemar(wins, losses) == mcnemar(losses, wins) == pytest.approx(p)


@given(st.integers(0, 400), st.integers(0, 400))
def test_mcnemar_is_the_sign_test(wins, losses):
    expected = binomtest(wins, wins + losses).pvalue if wins + losses else 1
    assert mcnemar(wins, losses) == pytest.approx(expected, rel=1e-9)


def test_negative_counts_are_refused():
    with pytest.raises(ValueError, match="negative"):
        mcnemar(-1, 3)


def test_the_questions_needed_by_hand():
    # (1.959964 + 0.841621)^2 = 7.848880; 100 x 7.848880 x (0.02 / 0.04)^2 = 196.2
    assert questions_needed(0.04, 0.02, questions=100, differing=20) == 197
    assert questions_needed(-0.04, 0.02, questions=100, differing=20) == 197
    # Half the difference needs four times as many.
    assert questions_needed(0.02, 0.02, questions=100, differing=20) == 785
    # Two of ten questions differ: thirty make six.
    assert questions_needed(1.0, 0.01, questions=10, differing=2) == 30


@pytest.mark.parametrize(
    ("difference", "se", "differing"),
    [(0, 0.1, 3), (0.1, 0, 3), (0.1, float("nan"), 3), (float("nan"), 0.1, 3), (0.1, 0.1, 0)],
)
def test_without_a_difference_or_a_spread_nothing_can_be_said(difference, se, differing):
    assert questions_needed(difference, se, questions=10, differing=differing) is None


def test_the_least_p_is_that_of_a_sign_test_that_goes_one_way():
    assert [least_p(n) for n in (0, 1, 5, 6)] == [1, 1, 0.0625, 0.03125]
    assert all(least_p(n) == mcnemar(n, 0) for n in range(12))
