"""Resampling: how often each unit is drawn, and what the drawn units add up to.

A scheme of resampling is an iterator of weights, one row for each resample and one column for each unit;
everything behind it works on the weights alone.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sqlmend.eval.statistics._quantity import Quantity

Floats = NDArray[np.float64]

#: Weights in memory at a time: 1 MiB, which stays in the cache of a core.
BLOCK = 1 << 17


def unit_sums(values: ArrayLike, units: Sequence[Hashable]) -> Floats:
    """Sums of each unit's rows.

    Args:
        values: Rows of questions by columns (a flat list is one column).
        units: The unit of each row; rows of equal units are drawn together.

    Returns:
        Units by columns, units in the order of their first row.

    Raises:
        ValueError: The two differ in length, there is no row, or a value is not finite.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.ndim == 1:
        table = table[:, np.newaxis]
    if table.ndim != 2 or len(table) != len(units):
        raise ValueError(
            f"values must be rows of questions, one for each of {len(units)} units; got {table.shape}"
        )
    if not len(units) or not np.isfinite(table).all():
        raise ValueError("values must be finite numbers, of one question at least")
    ordinals: dict[Hashable, int] = {}
    index = np.array([ordinals.setdefault(unit, len(ordinals)) for unit in units])
    sums = np.zeros((len(ordinals), table.shape[1]))
    np.add.at(sums, index, table)
    return sums


def cluster_weights(units: int, resamples: int, seed: int) -> Iterator[Floats]:
    """Draw as many units as there are, with replacement, once for each resample (Efron, 1979).

    Args:
        units: How many there are.
        resamples: How often they are drawn.
        seed: Equal seeds give equal weights.

    Yields:
        Blocks of rows, one for each resample: how often each unit was drawn.

    Raises:
        ValueError: A number is below 1.
    """
    if units < 1 or resamples < 1:
        raise ValueError(f"units and resamples must be at least 1, got {units} and {resamples}")
    generator = np.random.default_rng(seed)
    rows = max(1, min(resamples, BLOCK // units))
    for start in range(0, resamples, rows):
        height = min(rows, resamples - start)
        drawn = generator.integers(0, units, size=(height, units))
        drawn += np.arange(height)[:, np.newaxis] * units
        yield np.bincount(drawn.ravel(), minlength=height * units).reshape(height, units).astype(np.float64)


@dataclass(frozen=True)
class Resampled:
    """Sums over all units and over those of each resample.

    Attributes:
        observed: One sum for each column.
        drawn: Resamples by columns.
    """

    observed: Floats
    drawn: Floats

    def ratio(self, numerator: Sequence[int], denominator: Sequence[int]) -> Quantity:
        """The sum of some columns over that of others: a mean where the latter count.

        It is NaN where the denominator is 0.
        """
        with np.errstate(divide="ignore", invalid="ignore"):
            above, below = self.observed[list(numerator)].sum(), self.observed[list(denominator)].sum()
            observed = float(above / below) if below else float("nan")
            above, below = (
                self.drawn[:, list(numerator)].sum(axis=1),
                self.drawn[:, list(denominator)].sum(axis=1),
            )
            drawn = np.where(below == 0, np.nan, above / below)
        return Quantity(observed, drawn)


def resample(sums: Floats, weights: Iterable[Floats]) -> Resampled:
    """What the units add up to, drawn by the weights; columns are drawn together, so that they stay paired.

    Args:
        sums: Units by columns, as ``unit_sums`` gives them.
        weights: Blocks of resamples by units, as ``cluster_weights`` gives them.
    """
    # einsum, not @: blocks this small gain nothing from the threads of a linear algebra library, and wait for
    # them where the cores are taken. Rows of equal columns lie together, which is what makes it fast.
    columns = np.ascontiguousarray(sums.T)
    drawn = np.concatenate([np.einsum("ru,cu->rc", block, columns) for block in weights])
    return Resampled(sums.sum(axis=0), drawn)
