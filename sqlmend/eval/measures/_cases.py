"""Questions on which two programs differ, with their attempts side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmend._text import cap
from sqlmend.eval.measures._comparison import Comparison, Condition
from sqlmend.eval.measures._figures import Figures, repeated
from sqlmend.eval.measures._run_measures import of_question

#: So many wins, and so many losses, are shown.
SHOWN = 40
#: Of a long episode the first and the last attempts are shown.
_FIRST, _LAST = 2, 6
_LIMIT = 2_000


@dataclass(frozen=True)
class Outcomes:
    """How two programs did on each question.

    Attributes:
        scores: Question id to the scores of both, by order; in the order of the questions.
        orders: The orders.
    """

    scores: Mapping[str, tuple[list[int], list[int]]]
    orders: Sequence[int]

    def count(self, sign: int) -> int:
        """Questions on which the first did better (1), worse (-1) or alike (0), by the mean over orders."""
        return sum(_sign(*both) == sign for both in self.scores.values())

    def differing(self, sign: int) -> list[str]:
        """Ids of those questions, those with the largest difference first."""
        found = [name for name, both in self.scores.items() if _sign(*both) == sign]
        return sorted(found, key=lambda name: -abs(sum(self.scores[name][0]) - sum(self.scores[name][1])))


def outcomes(comparison: Comparison, a: Condition, b: Condition) -> Outcomes:
    """How the two did on each question, in the orders that both have finished."""
    orders = comparison.orders(a, b)
    sides = [[comparison.runs[side, order].by_question for order in orders] for side in (a, b)]
    return Outcomes(
        {
            question["id"]: (
                [run[question["id"]]["score_after"] for run in sides[0]],
                [run[question["id"]]["score_after"] for run in sides[1]],
            )
            for question in comparison.questions
        },
        orders,
    )


def cases(comparison: Comparison, a: Condition, b: Condition, found: Outcomes) -> list[dict[str, Any]]:
    """Wins and losses of ``a`` against ``b`` with the attempts of an order in which they differ."""
    return [
        _case(comparison, (a, b), comparison.asked[name], found, outcome)
        for outcome, sign in (("win", 1), ("loss", -1))
        for name in found.differing(sign)[:SHOWN]
    ]


def _case(
    comparison: Comparison,
    sides: tuple[Condition, Condition],
    question: Mapping[str, Any],
    found: Outcomes,
    outcome: str,
) -> dict[str, Any]:
    first, second = found.scores[question["id"]]
    sign = 1 if outcome == "win" else -1
    differs = (
        order for order, *both in zip(found.orders, first, second, strict=True) if both[0] - both[1] == sign
    )
    order = next(differs)
    runs = [comparison.runs[side, order] for side in sides]
    shown = [_side(run.by_question[question["id"]], run.figures_of[question["id"]]) for run in runs]
    return {
        "outcome": outcome,
        "question_id": question["id"],
        "db_id": question["db_id"],
        "text": cap(question["text"], _LIMIT),
        "difficulty": question["difficulty"],
        "scores_a": first,
        "scores_b": second,
        "order": order,
        "a": shown[0],
        "b": shown[1],
    }


def _side(episode: Mapping[str, Any], figures: Figures) -> dict[str, Any]:
    attempts = [
        {
            "sql": cap(attempt["sql"], _LIMIT),
            "status": attempt["status"],
            "error": None if attempt["error"] is None else cap(attempt["error"], _LIMIT),
            "failure_type": attempt["failure_type"],
            "repeats": again,
            "recalled": attempt["recalled"],
        }
        for attempt, again in zip(episode["attempts"], repeated(episode["attempts"]), strict=True)
    ]
    dropped = max(0, len(attempts) - _FIRST - _LAST)
    return {
        "score": episode["score_after"],
        "error": episode["error"],
        "attempts": attempts[:_FIRST] + attempts[_FIRST + dropped :],
        "dropped_attempts": dropped,
        "costs": of_question(figures),
    }


def _sign(first: Sequence[int], second: Sequence[int]) -> int:
    gap = sum(first) - sum(second)
    return (gap > 0) - (gap < 0)
