"""How much data it takes to tell a difference from zero."""

from __future__ import annotations

import math
from statistics import NormalDist

from sqlmend.eval.statistics._quantity import LEVEL

#: Chance with which a study of that many questions finds a difference as large as the one observed.
POWER = 0.8


def least_p(differing: int) -> float:
    """The smallest two-sided p that so many units can give: all of them go the same way, each a fair coin.

    That of the sign test, ``2^(1 - m)``. A bootstrap draws from the units that were seen, so that three units
    on which one program wins give an interval far from zero; with fewer than six no 95 % is to be had.
    """
    return min(1.0, 2.0 ** (1 - differing))


def questions_needed(
    difference: float,
    se: float,
    *,
    questions: int,
    differing: int,
    level: float = LEVEL,
    power: float = POWER,
) -> int | None:
    """Questions with which such a difference would probably be told from zero.

    ``ceil(n ((z(1 - (1 - level) / 2) + z(power)) se / |difference|)^2)``, z the normal quantile: the usual
    size of a two-sided test. The standard error is taken to shrink with the root of the number of questions,
    their share of twins and their orders as they are. At least as many as would make enough units differ for
    ``least_p``. It says how far away an answer is, not that the difference is there.

    Args:
        difference: The difference observed.
        se: Its standard error.
        questions: How many questions it was observed on.
        differing: On how many units the two differ.
        level: Confidence level of the interval.
        power: Chance with which it is to leave zero out.

    Returns:
        The number, None where there is no difference or no spread to go by.
    """
    if not difference or not se or not differing or math.isnan(difference) or math.isnan(se):
        return None
    normal = NormalDist()
    width = normal.inv_cdf((1 + level) / 2) + normal.inv_cdf(power)
    units = math.ceil(1 - math.log2(1 - level))
    return max(
        math.ceil(questions * (width * se / abs(difference)) ** 2), math.ceil(questions * units / differing)
    )
