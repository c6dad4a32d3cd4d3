"""One bootstrap for all figures of a comparison: every program is drawn on the same units."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sqlmend.eval.measures._comparison import Comparison, Condition, Run
from sqlmend.eval.measures._figures import Figures
from sqlmend.eval.statistics import (
    Difference,
    Quantity,
    Resampled,
    cluster_weights,
    difference,
    resample,
    unit_sums,
)

_COUNT = "count"
#: What is summed up of a run's episodes.
_SUMS: Mapping[str, Callable[[Run, Figures], float]] = {
    _COUNT: lambda run, f: 1,
    "after": lambda run, f: f.after,
    "failed": lambda run, f: f.failed,
    "repair_steps": lambda run, f: f.repair_steps(run.budget),
    "tokens": lambda run, f: f.cost.tokens,
}
#: Figure to the sums that it is the ratio of.
_RATIOS: Mapping[str, tuple[str, str]] = {
    "ex_after": ("after", _COUNT),
    "repair_steps": ("repair_steps", "failed"),
    "tokens_per_question": ("tokens", _COUNT),
}


class Draws:
    """The cluster bootstrap of a comparison, as its ``comparison.json`` asks for it.

    Args:
        comparison: Its finished runs; a unit brings along all questions and all orders.
    """

    def __init__(self, comparison: Comparison) -> None:
        self._comparison = comparison
        self._columns = {
            (*run, name): column
            for column, (run, name) in enumerate((run, name) for run in comparison.runs for name in _SUMS)
        }

    @cached_property
    def units(self) -> list[int | str]:
        """The unit of each question."""
        unit = "group" if self._comparison.config["unit"] == "group" else "id"
        return [question[unit] for question in self._comparison.questions]

    def quantity(self, name: str, condition: Condition, orders: Sequence[int]) -> Quantity:
        """``ex_after``, ``repair_steps`` or ``tokens_per_question`` over the orders."""
        above, below = _RATIOS[name]
        return self._resampled.ratio(self._of(above, condition, orders), self._of(below, condition, orders))

    def difference(self, name: str, a: Condition, b: Condition, orders: Sequence[int]) -> Difference:
        """``a`` minus ``b``."""
        above, below = _RATIOS[name]
        differs = np.zeros(len(self._sums), dtype=bool)
        for part in (above, below):
            both = [self._sums[:, self._of(part, side, orders)].sum(axis=1) for side in (a, b)]
            differs |= both[0] != both[1]
        return difference(
            self.quantity(name, a, orders) - self.quantity(name, b, orders),
            questions=len(self.units),
            differing=int(np.count_nonzero(differs)),
        )

    def _of(self, name: str, condition: Condition, orders: Sequence[int]) -> list[int]:
        return [self._columns[condition, order, name] for order in orders]

    @cached_property
    def _sums(self) -> NDArray[np.float64]:
        place = {question["id"]: row for row, question in enumerate(self._comparison.questions)}
        table = np.zeros((len(place), len(self._columns)))
        for key, run in self._comparison.runs.items():
            for name, value in _SUMS.items():
                column = self._columns[*key, name]
                for figures in run.figures:
                    table[place[figures.question_id], column] = value(run, figures)
        return unit_sums(table, self.units)

    @cached_property
    def _resampled(self) -> Resampled:
        config = self._comparison.config
        return resample(self._sums, cluster_weights(len(self._sums), config["resamples"], config["seed"]))
