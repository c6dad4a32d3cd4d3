"""Whether a difference is too small to matter."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sqlmend.eval.statistics._quantity import Quantity

#: Error level of each of the two one-sided tests.
ALPHA = 0.05


@dataclass(frozen=True)
class Equivalence:
    """Two one-sided tests of a difference.

    Attributes:
        margin: What would matter, in the difference's own unit.
        low: Lower end of the 90 % interval.
        high: Upper end of the 90 % interval.
        p: The larger p of the two tests; not below what so few units can give.
        equivalent: Whether the interval lies between ``-margin`` and ``margin``, and there are enough units
            for that to mean something.
    """

    margin: float
    low: float
    high: float
    p: float
    equivalent: bool


def equivalence(quantity: Quantity, margin: float = 0.025, *, units: int) -> Equivalence:
    """Two one-sided bootstrap tests (Schuirmann, J. Pharmacokinetics and Biopharmaceutics, 1987).

    Each p is ``(1 + m) / (1 + R)``, m the resamples at or beyond its margin. A bootstrap of units of which
    none differs draws zeros alone, however few they are; so p is not below ``(1 - margin)^units``, the chance
    that no unit shows a difference which a share ``margin`` of all units has. With a margin of 2.5 points it
    takes 119 units to say that two conditions are the same.

    Args:
        quantity: A difference of two shares, as observed and in each resample.
        margin: The least difference that would matter, above 0 and below 1: 0.025 is 2.5 points.
        units: How many units it was observed on, whether they differ or not.

    Raises:
        ValueError: The margin does not lie between 0 and 1.
    """
    if not 0 < margin < 1:
        raise ValueError(f"the margin must lie between 0 and 1 (0.025 is 2.5 points), got {margin}")
    low, high = quantity.interval(1 - 2 * ALPHA)
    drawn = quantity.drawn[~np.isnan(quantity.drawn)]
    beyond = max(np.count_nonzero(drawn <= -margin), np.count_nonzero(drawn >= margin))
    least = (1 - margin) ** units
    p = max(float((1 + beyond) / (1 + len(drawn))), least)
    return Equivalence(margin, low, high, p, -margin < low and high < margin and least <= ALPHA)
