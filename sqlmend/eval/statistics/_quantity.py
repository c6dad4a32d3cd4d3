"""A figure with its bootstrap distribution."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

#: Confidence level of intervals.
LEVEL = 0.95


@dataclass(frozen=True, eq=False)
class Quantity:
    """A figure as observed and in each resample.

    Attributes:
        value: As observed; NaN where it is not defined.
        drawn: In each resample; NaN in those where it is not defined, which do not count.
    """

    value: float
    drawn: NDArray[np.float64]

    def __sub__(self, other: Quantity) -> Quantity:
        """The difference, resample by resample: both must come from the same draws."""
        return Quantity(self.value - other.value, self.drawn - other.drawn)

    @cached_property
    def _defined(self) -> NDArray[np.float64]:
        return self.drawn[~np.isnan(self.drawn)]

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """The percentile interval (Efron & Tibshirani, An Introduction to the Bootstrap, 1993, section 13.3).

        Raises:
            ValueError: The level is not between 0 and 1.
        """
        if not 0 < level < 1:
            raise ValueError(f"level must lie between 0 and 1, got {level}")
        if not len(self._defined):
            return math.nan, math.nan
        low, high = np.quantile(self._defined, [(1 - level) / 2, (1 + level) / 2])
        return float(low), float(high)

    @property
    def se(self) -> float:
        """Bootstrap standard error: the standard deviation over the resamples."""
        return float(self._defined.std(ddof=1)) if len(self._defined) > 1 else math.nan

    @property
    def p(self) -> float:
        """Two-sided p of "it is zero", from the percentile interval turned round.

        ``2 (1 + m) / (1 + R)``, at most 1, where m is the smaller of the numbers of resamples at or below
        zero and at or above it: about one minus the level of the widest percentile interval that leaves zero
        out. One is added to both counts because what was observed is itself a draw (Davison & Hinkley,
        Bootstrap Methods and their Application, 1997, section 4.2).
        """
        below, above = np.count_nonzero(self._defined <= 0), np.count_nonzero(self._defined >= 0)
        return float(min(1.0, 2 * (1 + min(below, above)) / (1 + len(self._defined))))
