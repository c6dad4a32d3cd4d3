"""The ratio of two figures that both have an error."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from sqlmend.eval.statistics._quantity import LEVEL, Quantity


@dataclass(frozen=True)
class Ratio:
    """A ratio and its interval, or why there is none.

    Attributes:
        value: Numerator over denominator; None where it is undefined.
        low: Lower end of the interval; None where it is undefined.
        high: Upper end of the interval; None where it is undefined.
        undefined: Why it is undefined, for people; None where it is defined.
    """

    value: float | None
    low: float | None
    high: float | None
    undefined: str | None


def ratio(numerator: Quantity, denominator: Quantity, *, level: float = LEVEL) -> Ratio:
    """The percentile interval of a ratio, where its denominator can be told from zero.

    A resample whose denominator has not the sign of the one observed stands for a ratio beyond all others, on
    the side of its numerator (the reading of Fieller, Journal of the Royal Statistical Society B, 1954), and
    counts as the outermost of them: the interval gets wider, its sign does not turn. One in which both are
    zero, or one is not defined, does not count.

    Args:
        numerator: As observed and in each resample.
        denominator: The same, from the same draws.
        level: Confidence level of the interval, and of the one that decides whether there is a ratio.

    Raises:
        ValueError: The two come from different numbers of draws, or the level is not between 0 and 1.
    """
    if numerator.drawn.shape != denominator.drawn.shape:
        raise ValueError(
            f"both must come from the same draws, got {len(numerator.drawn)} and {len(denominator.drawn)}"
        )
    low, high = denominator.interval(level)
    if not (low > 0 or high < 0):
        why = f"the denominator cannot be told from zero: {low:.4f} to {high:.4f} at {level:.0%}"
        return Ratio(None, None, None, why)
    above, below = (math.copysign(1, denominator.value) * side.drawn for side in (numerator, denominator))
    with np.errstate(divide="ignore", invalid="ignore"):
        beyond = np.where(np.isnan(below), math.nan, np.sign(above) * math.inf)
        drawn = np.where(below > 0, above / below, beyond)
    finite = drawn[np.isfinite(drawn)]
    drawn = np.clip(drawn, finite.min(initial=math.inf), finite.max(initial=-math.inf))
    return Ratio(numerator.value / denominator.value, *Quantity(math.nan, drawn).interval(level), None)
