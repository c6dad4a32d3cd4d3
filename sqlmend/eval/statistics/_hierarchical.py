"""The two-stage bootstrap: databases first, then the groups of questions within each."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence

import numpy as np

from sqlmend.eval.statistics._resampling import BLOCK, Floats


def hierarchical_weights(clusters: Sequence[Hashable], resamples: int, seed: int) -> Iterator[Floats]:
    """Draw clusters with replacement, then in each copy drawn as many of its units as it has.

    Both stages draw with replacement (Davison & Hinkley, Bootstrap Methods and their Application, 1997,
    section 3.8, strategy 2). The interval then speaks of other databases of the kind too, not only of other
    questions to these. It is the wider one: where databases do not differ by themselves it counts the
    spread of the questions about twice.

    Args:
        clusters: The cluster of each unit, in the order of ``unit_sums``: the database of a group.
        resamples: How often they are drawn.
        seed: Equal seeds and equal clusters give equal weights.

    Yields:
        Blocks of rows, one for each resample: how often each unit was drawn, as ``cluster_weights`` does.

    Raises:
        ValueError: There is no unit, or the number of resamples is below 1.
    """
    if not clusters or resamples < 1:
        raise ValueError(
            f"units and resamples must be at least 1, got {len(clusters)} units and {resamples} resamples"
        )
    members: dict[Hashable, list[int]] = {}
    for unit, cluster in enumerate(clusters):
        members.setdefault(cluster, []).append(unit)
    generator = np.random.default_rng(seed)
    rows = max(1, min(resamples, BLOCK // len(clusters)))
    for start in range(0, resamples, rows):
        height = min(rows, resamples - start)
        resample = np.arange(height)
        drawn = generator.integers(0, len(members), size=(height, len(members)))
        weights = np.empty((height, len(clusters)))
        for cluster, units in enumerate(members.values()):
            copies = np.repeat(resample, np.count_nonzero(drawn == cluster, axis=1))
            chosen = generator.integers(0, len(units), size=(len(copies), len(units)))
            chosen += copies[:, np.newaxis] * len(units)
            counts = np.bincount(chosen.ravel(), minlength=height * len(units))
            weights[:, units] = counts.reshape(height, len(units))
        yield weights
