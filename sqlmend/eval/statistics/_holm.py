"""Holm's correction for several tests."""

from __future__ import annotations

from collections.abc import Sequence


def holm(p_values: Sequence[float]) -> list[float]:
    """Adjusted p values, in the order given: compare each with the level wanted for all together.

    The i-th smallest of m is multiplied by ``m - i + 1``, made at least the one before it and at most 1
    (Holm, A Simple Sequentially Rejective Multiple Test Procedure, Scandinavian Journal of Statistics, 1979).

    Raises:
        ValueError: A value does not lie in 0 to 1.
    """
    if not all(0 <= p <= 1 for p in p_values):
        raise ValueError(f"p values must lie in 0 to 1, got {list(p_values)}")
    adjusted = [0.0] * len(p_values)
    least = 0.0
    for rank, place in enumerate(sorted(range(len(p_values)), key=p_values.__getitem__)):
        least = max(least, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = least
    return adjusted
