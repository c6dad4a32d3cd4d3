"""What a condition scores, and what two conditions differ by, over databases and the questions within."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sqlmend.errors import InputError
from sqlmend.eval.statistics import (
    Difference,
    Equivalence,
    Quantity,
    difference,
    equivalence,
    hierarchical_weights,
    resample,
    unit_sums,
)

#: Resamples of every interval.
RESAMPLES = 10_000
#: What a difference must reach to matter: 2.5 points.
MARGIN = 0.025


@dataclass(frozen=True, eq=False)
class Outcomes:
    """Which questions one condition gets right, under each seed.

    Attributes:
        question_ids: The questions, each once.
        db_ids: The database of each.
        groups: The group of twins of each, as ``Benchmark.groups`` numbers them; a group lies in one
            database.
        seeds: The seeds, each once; None where nothing is sampled, so that one column stands for every seed.
        right: Questions by seeds (by one column where ``seeds`` is None): 1 where it is right, 0 where it is
            wrong or could not be evaluated, NaN where it was not asked under that seed.

    Raises:
        ValueError: The shapes do not fit, a question or a seed is there twice, or a score is not 0 or 1.
    """

    question_ids: tuple[str, ...]
    db_ids: tuple[str, ...]
    groups: tuple[int, ...]
    seeds: tuple[int, ...] | None
    right: NDArray[np.float64]

    def __post_init__(self) -> None:
        object.__setattr__(self, "right", np.asarray(self.right, dtype=np.float64))
        columns = (0,) if self.seeds is None else self.seeds
        shape = (len(self.question_ids), len(columns))
        if self.right.shape != shape or not len(self.db_ids) == len(self.groups) == shape[0]:
            raise ValueError(
                f"outcomes of {shape[0]} questions under {shape[1]} seeds have {self.right.shape}"
            )
        for kind, names in (("question", self.question_ids), ("seed", columns)):
            if len(set(names)) < len(names):
                raise ValueError(f"a {kind} is there twice: {sorted(names)}")
        if not np.isin(self.right[~np.isnan(self.right)], (0, 1)).all():
            raise ValueError("a question that was asked is right (1) or wrong (0), nothing between or beside")


@dataclass(frozen=True)
class Level:
    """Execution accuracy of one condition.

    Attributes:
        value: Mean over questions and seeds.
        low: Lower end of the 95 % interval.
        high: Upper end of it.
        databases: How many databases.
        questions: How many questions.
        groups: How many groups of twins.
        seeds: How many seeds; 1 where nothing is sampled.
    """

    value: float
    low: float
    high: float
    databases: int
    questions: int
    groups: int
    seeds: int


@dataclass(frozen=True)
class Contrast(Difference):
    """First condition minus second, over the questions and seeds that both have; units are groups of twins.

    ``questions_needed`` is of correspondingly more databases: their differences are in ``se`` too.

    Attributes:
        equivalence: Whether the difference is too small to matter.
        databases_improved: Databases in which the first gets more right.
        databases_worse: Databases in which the second does.
        databases: How many databases. The bootstrap draws from those that are there: of fewer than about ten,
            its interval is too narrow to speak of others.
        questions: How many questions.
        groups: How many groups of twins.
        seeds: How many seeds; 1 where nothing is sampled on either side.
    """

    equivalence: Equivalence
    databases_improved: int
    databases_worse: int
    databases: int
    questions: int
    groups: int
    seeds: int


def level(outcomes: Outcomes, *, resamples: int = RESAMPLES, seed: int = 0) -> Level:
    """Execution accuracy with its interval by the two-stage bootstrap.

    Args:
        outcomes: What the condition gets right.
        resamples: How often databases and groups are drawn.
        seed: Equal seeds give equal results, in whichever order the questions stand.

    Raises:
        InputError: No question was asked.
    """
    table = SideBySide([outcomes])
    return table.level(table.levels(resamples, seed)[0])


def contrast(
    first: Outcomes,
    second: Outcomes,
    *,
    resamples: int = RESAMPLES,
    seed: int = 0,
    margin: float = MARGIN,
) -> Contrast:
    """The paired difference by the two-stage bootstrap: databases, then groups within, seeds kept together.

    Args:
        first: What one condition gets right.
        second: What the other does. A side on which nothing is sampled is the same under every seed of the
            other.
        resamples: How often databases and groups are drawn.
        seed: Equal seeds give equal results, in whichever order the questions stand.
        margin: What a difference must reach to matter.

    Raises:
        InputError: They were never asked the same question under the same seed.
        ValueError: They put a question into different databases or groups.
    """
    table = SideBySide([first, second])
    return table.contrast(table.levels(resamples, seed), 0, 1, margin=margin)


class SideBySide:
    """Conditions over the questions that all of them were asked under the same seeds, drawn together.

    Args:
        conditions: What each gets right; one on which nothing is sampled is repeated for every seed.

    Attributes:
        databases: How many databases.
        questions: How many questions.
        groups: How many groups of twins.
        seeds: How many seeds; 1 where nothing is sampled in any of them.

    Raises:
        InputError: They were never asked the same question under the same seed.
        ValueError: They put a question into different databases or groups.
    """

    def __init__(self, conditions: Sequence[Outcomes]) -> None:
        homes = _homes(conditions)
        sampled = [set(c.seeds) for c in conditions if c.seeds is not None]
        seeds = sorted(set.intersection(*sampled)) if sampled else [0]
        scores = np.array([_scores(condition, list(homes), seeds) for condition in conditions])
        asked = ~np.isnan(scores).any(axis=0)
        rows = asked.any(axis=1)
        if not rows.any():
            raise InputError("nothing_in_common", "the conditions were never asked the same question")
        table = np.column_stack([*np.where(asked, scores, 0).sum(axis=2), asked.sum(axis=1)])[rows]
        units = [home for home, row in zip(homes.values(), rows, strict=True) if row]
        self._sums = unit_sums(table, units)
        self._by_database = unit_sums(table, [db_id for db_id, _ in units])
        self._clusters = [db_id for db_id, _ in dict.fromkeys(units)]
        self.questions = len(table)
        self.groups = len(self._sums)
        self.databases = len(self._by_database)
        self.seeds = int(asked.any(axis=0).sum())

    def levels(self, resamples: int, seed: int) -> list[Quantity]:
        """Execution accuracy of each condition, all from the same draws."""
        drawn = resample(self._sums, hierarchical_weights(self._clusters, resamples, seed))
        count = self._sums.shape[1] - 1
        return [drawn.ratio([column], [count]) for column in range(count)]

    def level(self, quantity: Quantity) -> Level:
        """One of the levels, with its interval."""
        low, high = quantity.interval()
        return Level(quantity.value, low, high, self.databases, self.questions, self.groups, self.seeds)

    def contrast(
        self, levels: Sequence[Quantity], first: int, second: int, *, margin: float = MARGIN
    ) -> Contrast:
        """One condition minus another.

        Args:
            levels: What ``levels`` gave.
            first: Position of the one.
            second: Position of the other.
            margin: What a difference must reach to matter.
        """
        quantity = levels[first] - levels[second]
        gaps = self._sums[:, first] - self._sums[:, second]
        by_database = self._by_database[:, first] - self._by_database[:, second]
        found = difference(quantity, questions=self.questions, differing=int(np.count_nonzero(gaps)))
        return Contrast(
            **vars(found),
            equivalence=equivalence(quantity, margin, units=self.groups),
            databases_improved=int(np.count_nonzero(by_database > 0)),
            databases_worse=int(np.count_nonzero(by_database < 0)),
            databases=self.databases,
            questions=self.questions,
            groups=self.groups,
            seeds=self.seeds,
        )


def _homes(conditions: Sequence[Outcomes]) -> dict[str, tuple[str, int]]:
    """Database and group of the questions that all conditions have, sorted by question."""
    found = [dict(zip(c.question_ids, zip(c.db_ids, c.groups, strict=True), strict=True)) for c in conditions]
    common = {question: found[0][question] for question in sorted(set.intersection(*map(set, found)))}
    for question, home in common.items():
        if any(homes[question] != home for homes in found):
            raise ValueError(f"question {question} stands in different databases or groups")
    return common


def _scores(condition: Outcomes, question_ids: Sequence[str], seeds: Sequence[int]) -> NDArray[np.float64]:
    """Questions by seeds; what stands for all seeds is repeated."""
    places = {question_id: row for row, question_id in enumerate(condition.question_ids)}
    rows = condition.right[[places[question_id] for question_id in question_ids]]
    if condition.seeds is None:
        return np.repeat(rows, len(seeds), axis=1)
    return rows[:, [condition.seeds.index(seed) for seed in seeds]]
