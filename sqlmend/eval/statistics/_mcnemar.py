"""McNemar's test, exact."""

from __future__ import annotations

from math import comb


def mcnemar(wins: int, losses: int) -> float:
    """Two-sided exact p that a question on which two programs differ goes either way alike.

    Twice the smaller tail of a binomial with chance 1/2 over the questions on which they differ, at most 1
    (McNemar, Psychometrika, 1947; the exact form of the sign test). It takes questions as independent: twins
    make it too sure, which the bootstrap over groups does not share.

    Args:
        wins: Questions that the first has right and the second wrong.
        losses: Questions the other way round.

    Raises:
        ValueError: A count is negative.
    """
    if wins < 0 or losses < 0:
        raise ValueError(f"counts must not be negative, got {wins} and {losses}")
    n = wins + losses
    tail = sum(comb(n, k) for k in range(min(wins, losses) + 1))
    return float(min(1.0, 2 * tail / 2**n))
