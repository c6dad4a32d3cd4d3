"""The difference between two programs on the same questions."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from sqlmend.eval.statistics._needed import least_p, questions_needed
from sqlmend.eval.statistics._quantity import LEVEL, Quantity
from sqlmend.eval.statistics._resampling import cluster_weights, resample, unit_sums


@dataclass(frozen=True)
class Difference:
    """A difference and how sure it is.

    Attributes:
        value: First minus second.
        low: Lower end of the interval.
        high: Upper end of the interval.
        se: Bootstrap standard error.
        p: Two-sided bootstrap p, see ``Quantity.p``; not below what so few units can give (``least_p``).
        differing: On how many units the two differ.
        separated: Whether the interval leaves zero out and ``p`` is at most one minus its level: enough
            units differ for that to mean something, and enough resamples were drawn to say it.
        questions_needed: See ``questions_needed``; None where the interval leaves zero out and enough units
            differ: more questions are not what it lacks then.
    """

    value: float
    low: float
    high: float
    se: float
    p: float
    differing: int
    separated: bool
    questions_needed: int | None


def difference(quantity: Quantity, *, questions: int, differing: int, level: float = LEVEL) -> Difference:
    """What the bootstrap distribution of a difference says.

    Args:
        quantity: The difference, as observed and in each resample.
        questions: How many questions it was observed on.
        differing: On how many units the two differ.
        level: Confidence level of the interval.
    """
    low, high = quantity.interval(level)
    leaves_out = low > 0 or high < 0
    p = max(quantity.p, least_p(differing))
    needed = None
    if not leaves_out or least_p(differing) > 1 - level:
        needed = questions_needed(
            quantity.value, quantity.se, questions=questions, differing=differing, level=level
        )
    separated = leaves_out and p <= 1 - level
    return Difference(quantity.value, low, high, quantity.se, p, differing, separated, needed)


def paired_bootstrap(
    first: ArrayLike,
    second: ArrayLike,
    units: Sequence[Hashable],
    *,
    resamples: int = 10_000,
    seed: int = 0,
    level: float = LEVEL,
) -> Difference:
    """Cluster bootstrap of the difference between two means over the same questions.

    Units are drawn with replacement, each with all its questions and all their orders; the statistic is the
    mean over the questions drawn, so that units of different sizes keep their weight (the cluster bootstrap,
    Davison & Hinkley, Bootstrap Methods and their Application, 1997, section 3.8).

    Args:
        first: Scores of the first program, questions by orders (a flat list is one order).
        second: Those of the second, of the same questions in the same orders.
        units: The unit of each question: its group of twins, or the question itself.
        resamples: How often the units are drawn.
        seed: Equal seeds give equal results.
        level: Confidence level of the interval.

    Raises:
        ValueError: The shapes differ, there is no question, or a score is not finite.
    """
    scores = [np.asarray(side, dtype=np.float64) for side in (first, second)]
    if scores[0].shape != scores[1].shape or len(scores[0]) != len(units) or not scores[0].size:
        raise ValueError(
            f"both need a score of each of {len(units)} questions in the same orders;"
            f" got {scores[0].shape} and {scores[1].shape}"
        )
    # Sums, not means: those of whole scores are exact, so that a difference of zero is zero.
    gaps = (scores[0] - scores[1]).reshape(len(units), -1)
    sums = unit_sums(np.column_stack([gaps.sum(axis=1), np.full(len(gaps), gaps.shape[1])]), units)
    drawn = resample(sums, cluster_weights(len(sums), resamples, seed))
    return difference(
        drawn.ratio([0], [1]),
        questions=len(gaps),
        differing=int(np.count_nonzero(sums[:, 0])),
        level=level,
    )
