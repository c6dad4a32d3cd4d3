"""What tuning is worth on questions that no trial has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlmend.eval._selection import order as in_order
from sqlmend.eval.statistics import paired_bootstrap

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark
    from sqlmend.optimize._evaluation import Evaluated, StreamEvaluation
    from sqlmend.optimize._request import TuneRequest
    from sqlmend.programs import RepairProgram


def judge_held_out(
    request: TuneRequest, evaluation: StreamEvaluation, best: RepairProgram | None
) -> dict[str, Any]:
    """The program as it is and the best one on the held-out questions, with their paired difference.

    They are asked once, after the search: looking at them during it would make them training questions.

    Args:
        request: The tuning.
        evaluation: Streams of the held-out questions.
        best: The best program found; None where it is the program as it is, which is not asked twice.
    """
    defaults = evaluation(request.program, "holdout/defaults", _all)
    tuned = evaluation(best, "holdout/best", _all) if best else defaults
    units = [evaluation.benchmark.groups[question.id] for question in evaluation.benchmark.questions]
    found = paired_bootstrap(
        by_question(evaluation.benchmark, request.orders, tuned),
        by_question(evaluation.benchmark, request.orders, defaults),
        units,
        seed=request.seed,
    )
    return {
        "benchmark": evaluation.benchmark.name,
        "questions": len(units),
        "groups": len(set(units)),
        "ex_defaults": defaults.ex,
        "ex_best": tuned.ex,
        "tokens_defaults": defaults.tokens_per_question,
        "tokens_best": tuned.tokens_per_question,
        "difference": found.value,
        "low": found.low,
        "high": found.high,
        "differing": found.differing,
        "separated": found.separated,
        "questions_needed": found.questions_needed,
        "calls": defaults.calls + (tuned.calls if best else 0),
        "calls_paid": defaults.calls_paid + (tuned.calls_paid if best else 0),
        "seconds": defaults.seconds + (tuned.seconds if best else 0.0),
    }


def by_question(benchmark: Benchmark, orders: Sequence[int], found: Evaluated) -> list[list[int]]:
    """Outcomes as questions by orders, the questions as the benchmark has them."""
    n = len(benchmark.questions)
    rows: dict[str, list[int]] = {question.id: [] for question in benchmark.questions}
    for place, order in enumerate(orders):
        outcomes = found.outcomes[place * n : (place + 1) * n]
        for question, outcome in zip(in_order(benchmark.questions, order), outcomes, strict=True):
            rows[question.id].append(outcome)
    return list(rows.values())


def _all(outcomes: Sequence[int]) -> bool:
    return True
