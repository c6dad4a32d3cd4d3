from __future__ import annotations

import math

import pytest

from sqlmend.eval._tolerance import Snapping, near, rows_near


@pytest.mark.parametrize(
    ("a", "b", "tolerance", "expected"),
    [
        (0.3, 0.1 + 0.2, 1e-9, True),
        (0.3, 0.31, 1e-3, False),
        (1000.0, 1001, 1e-3, True),
        (0.001, 0.002, 1e-3, True),
        (10, 10.0, 0.0, True),
        (10, "10", 1.0, False),
        (None, None, 0.0, True),
        (None, 0, 1.0, False),
        (b"a", "a", 1.0, False),
        (math.inf, math.inf, 0.1, True),
        (math.inf, 1e308, 0.1, False),
        (2**62, 2**62 + 1, 1e-9, True),
    ],
)
def test_near(a: object, b: object, tolerance: float, expected: bool) -> None:
    assert near(a, b, tolerance) is expected
    assert near(b, a, tolerance) is expected


def test_rows_stay_paired_although_an_early_column_differs_by_rounding() -> None:
    a = [(0.1 + 0.2, "b"), (0.3, "a")]
    b = [(0.3, "b"), (0.3, "a")]
    snap = Snapping((a, b), 1e-9)
    assert rows_near(snap.sorted(a), snap.sorted(b), 1e-9)


def test_rows_of_a_set_that_differ_by_rounding_are_one() -> None:
    a, b = [(0.1 + 0.2,), (0.3,)], [(0.3,)]
    snap = Snapping((a, b), 1e-9)
    assert len(snap.distinct(a)) == 1
    assert rows_near(snap.distinct(a), snap.distinct(b), 1e-9)


def test_a_chain_of_near_numbers_does_not_make_its_ends_near() -> None:
    a, b = [(1.0,), (1.0,), (1.08,)], [(1.08,), (1.16,), (1.16,)]
    snap = Snapping((a, b), 0.1)
    assert not rows_near(snap.sorted(a), snap.sorted(b), 0.1)


def test_values_of_every_type_sort() -> None:
    rows = [(None,), (1,), (1.5,), ("x",), (b"x",), (math.inf,)]
    assert len(Snapping((rows,), 0.1).sorted(rows)) == len(rows)
