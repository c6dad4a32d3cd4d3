"""What tuning is worth on questions that no trial has seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from sqlmend._files import canonical_json, sha256_text
from sqlmend.eval._selection import order as in_order
from sqlmend.eval.statistics import paired_bootstrap
from sqlmend.optimize._questions import refuse_shared
from sqlmend.optimize._retune import current_preset

if TYPE_CHECKING:
    from sqlmend.eval import Benchmark
    from sqlmend.optimize._evaluation import Evaluated, StreamEvaluation
    from sqlmend.optimize._looks import Beat
    from sqlmend.optimize._request import TuneRequest
    from sqlmend.programs import Preset, RepairProgram


def check_held_out(request: TuneRequest) -> None:
    """Find out before the first trial what would end the tuning after its last one.

    Raises:
        InputError: Held-out questions share a group with training questions, or cannot be judged as asked.
    """
    if request.holdout is not None:
        refuse_shared(request.train, request.holdout)
        request.holdout.oracle(definition=request.judged_by, timeout_s=request.timeout_s)


def place_of(preset: Preset, evaluation: StreamEvaluation) -> str:
    """Where a program's runs over the held-out questions lie: a name by all that they hold.

    A study that goes on finds another best program, and may be given other held-out questions. What is the
    same for the whole study (orders, model, predictors) is not in it; nor is a definition that is the
    benchmark's own.
    """
    benchmark = evaluation.benchmark
    data: dict[str, Any] = {"name": benchmark.name, "data_hash": benchmark.data_hash}
    data["selection"] = dict(evaluation.selection)
    if evaluation.definition not in (None, benchmark.definition):
        data["definition"] = evaluation.definition
    return f"holdout/{sha256_text(canonical_json([preset.to_data(), data]))[:12]}"


def judge_held_out(
    request: TuneRequest, evaluation: StreamEvaluation, best: RepairProgram | None, beat: Beat
) -> dict[str, Any]:
    """The program as it is and the best one on the held-out questions, with their paired difference.

    They are asked after the search: looking at them during it would make them training questions.

    Args:
        request: The tuning.
        evaluation: Streams of the held-out questions.
        best: The best program found; None where it is the program as it is, which is not asked twice.
        beat: Told of every question.
    """

    def watch(outcomes: Sequence[int]) -> bool:
        beat()
        return True

    places = {"defaults": place_of(current_preset(request.program), evaluation)}
    defaults = tuned = evaluation(request.program, places["defaults"], watch)
    if best is not None:
        places["best"] = place_of(best.preset, evaluation)
        tuned = evaluation(best, places["best"], watch)
    units = [evaluation.benchmark.groups[question.id] for question in evaluation.benchmark.questions]
    found = paired_bootstrap(
        by_question(evaluation.benchmark, request.orders, tuned),
        by_question(evaluation.benchmark, request.orders, defaults),
        units,
        seed=request.seed,
    )
    return {
        "benchmark": evaluation.benchmark.name,
        "folders": places,
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
