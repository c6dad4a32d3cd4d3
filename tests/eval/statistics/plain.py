"""The two-stage bootstrap and what is read off it, written as a textbook says it: lists, loops, no arrays."""

from __future__ import annotations

import math
import random


def hierarchical_draws(databases, statistics, resamples, seed):
    """The statistics of each resample.

    Args:
        databases: Lists of groups, each a list of rows (a question with a number for each condition).
        statistics: Functions of the list of rows drawn.
        resamples: How often.
        seed: Of Python's own generator.
    """
    generator = random.Random(seed)
    drawn = []
    for _ in range(resamples):
        rows = []
        for _ in databases:
            groups = generator.choice(databases)
            for _ in groups:
                rows.extend(generator.choice(groups))
        drawn.append([statistic(rows) for statistic in statistics])
    return [list(column) for column in zip(*drawn, strict=True)]


def mean_of(column):
    return lambda rows: sum(row[column] for row in rows) / len(rows)


def percentile(values, share):
    """Between the two nearest of the sorted values, in proportion."""
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    below = math.floor(place)
    above = math.ceil(place)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def tost(values, margin, units):
    """Interval, p and decision."""
    low, high = percentile(values, 0.05), percentile(values, 0.95)
    one_sided = [
        (1 + sum(v <= -margin for v in values)) / (1 + len(values)),
        (1 + sum(v >= margin for v in values)) / (1 + len(values)),
    ]
    unseen = (1 - margin) ** units
    return low, high, max(*one_sided, unseen), -margin < low and high < margin and unseen <= 0.05


def ratio_interval(above, below):
    """None where the denominator's interval holds zero."""
    if percentile(below, 0.025) <= 0 <= percentile(below, 0.975):
        return None
    positive = sum(below) > 0
    ratios = []
    for a, b in zip(above, below, strict=True):
        if (b > 0) == positive and b != 0:
            ratios.append(a / b)
        elif a != 0:
            ratios.append(math.inf if (a > 0) == positive else -math.inf)
    finite = [r for r in ratios if math.isfinite(r)]
    ratios = [max(min(r, max(finite)), min(finite)) for r in ratios]
    return percentile(ratios, 0.025), percentile(ratios, 0.975)
