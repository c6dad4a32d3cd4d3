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
            wrong or could not be evaluated.

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
        if not np.isin(self.right, (0, 1)).all():
            raise ValueError("a question is right (1) or wrong (0), nothing between or beside")


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
        InputError: There is no question.
    """
    table = SideBySide([outcomes])
    [quantity] = table.levels(resamples, seed)
    low, high = quantity.interval()
    return Level(quantity.value, low, high, table.databases, table.questions, table.groups, table.seeds)


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
        InputError: They have no question or no seed in common.
        ValueError: They put a question into different databases or groups.
    """
    table = SideBySide([first, second])
    return table.contrast(table.levels(resamples, seed), 0, 1, margin=margin)


class SideBySide:
    """Conditions over the questions and the seeds that all of them have, drawn together.

    Args:
        conditions: What each gets right; one on which nothing is sampled is repeated for every seed.

    Raises:
        InputError: They have no question or no seed in common.
        ValueError: They put a question into different databases or groups.
    """

    def __init__(self, conditions: Sequence[Outcomes]) -> None:
        chosen = sorted(set.intersection(*(set(c.question_ids) for c in conditions)))
        sampled = [set(c.seeds) for c in conditions if c.seeds is not None]
        seeds = sorted(set.intersection(*sampled)) if sampled else []
        if not chosen or (sampled and not seeds):
            missing = "question" if not chosen else "seed"
            raise InputError(
                f"no_{missing}_in_common", f"the conditions to compare have no {missing} in common"
            )
        rows = [_rows(condition, chosen) for condition in conditions]
        homes = [
            [(c.db_ids[row], c.groups[row]) for row in found]
            for c, found in zip(conditions, rows, strict=True)
        ]
        if any(home != homes[0] for home in homes):
            raise ValueError("a question stands in different databases or groups of two conditions")
        self.seeds = max(1, len(seeds))
        self.questions = len(chosen)
        counts = [_right(c, found, seeds) for c, found in zip(conditions, rows, strict=True)]
        table = np.column_stack([*counts, np.full(self.questions, self.seeds)])
        databases = [db_id for db_id, _ in homes[0]]
        self._sums = unit_sums(table, homes[0])
        self._by_database = unit_sums(table, databases)
        self._clusters = [db_id for db_id, _ in dict.fromkeys(homes[0])]
        self.groups = len(self._sums)
        self.databases = len(self._by_database)

    def levels(self, resamples: int, seed: int) -> list[Quantity]:
        """Execution accuracy of each condition, all from the same draws."""
        drawn = resample(self._sums, hierarchical_weights(self._clusters, resamples, seed))
        count = self._sums.shape[1] - 1
        return [drawn.ratio([column], [count]) for column in range(count)]

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


def _rows(condition: Outcomes, chosen: Sequence[str]) -> list[int]:
    places = {question_id: row for row, question_id in enumerate(condition.question_ids)}
    return [places[question_id] for question_id in chosen]


def _right(condition: Outcomes, rows: Sequence[int], seeds: Sequence[int]) -> NDArray[np.float64]:
    """Under how many of the seeds each question is right; of one seed where nothing is sampled anywhere."""
    if condition.seeds is None:
        return condition.right[rows].sum(axis=1) * max(1, len(seeds))
    columns = [condition.seeds.index(seed) for seed in seeds]
    return condition.right[rows][:, columns].sum(axis=1)
