"""What each question costs, apart."""

from __future__ import annotations

import statistics
from typing import Any

from sqlmend.eval.measures._comparison import Comparison
from sqlmend.eval.measures._run_measures import of_question


def by_question(comparison: Comparison) -> list[dict[str, Any]]:
    """A row for each condition and question: its costs by part, mean over orders; see ``results``."""
    return [
        {
            **condition.to_dict(),
            "question_id": question["id"],
            "db_id": question["db_id"],
            **_mean([of_question(run.figures_of[question["id"]]) for run in runs]),
        }
        for condition in comparison.conditions
        if (runs := comparison.runs_of(condition))
        for question in comparison.questions
    ]


def _mean(costs: list[dict[str, float]]) -> dict[str, float]:
    return {key: round(statistics.fmean(cost[key] for cost in costs), 3) for key in costs[0]}
