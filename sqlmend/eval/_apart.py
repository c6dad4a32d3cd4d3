"""What answering, memory construction and repair cost, apart: by the moment of each step."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from sqlmend.programs.steps import STEPS, Moment

#: The parts of an episode's cost: its first answer, what it leaves for later questions, its revisions.
ANSWERING, CONSTRUCTION, REPAIR = PARTS = ("answering", "construction", "repair")

_OF_MOMENT = {
    Moment.ANSWER: ANSWERING,
    Moment.LEARN: CONSTRUCTION,
    Moment.FAILED: REPAIR,
    Moment.REPAIR: REPAIR,
    Moment.FINISH: CONSTRUCTION,
}
_COUNTED = ("calls", "prompt_tokens", "output_tokens", "seconds_model", "seconds_answers")


def part_of(step: Mapping[str, Any]) -> str:
    """Which of ``PARTS`` a step belongs to.

    Construction is every step that learns, before the answer is judged or when the episode is final, and
    the commit. Running and judging the first query is answering, that of a later one repair.

    Args:
        step: Its record of ``steps.jsonl``.
    """
    if step["step"] == "commit":
        return CONSTRUCTION
    moment = _moment(step["step"])
    if moment is None:
        return ANSWERING if step["attempt"] <= 1 else REPAIR
    return _OF_MOMENT[moment]


def costs_apart(steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Calls, tokens and seconds of answering, memory construction and repair, in all and by question.

    Args:
        steps: The last run of each step.

    Returns:
        Each of ``PARTS`` with its sums, and ``by_question`` with all of them for each id; empty where no
        step learns before the answer is judged, or could have: a baseline has the parts of what it is
        compared with.
    """
    if not any(_may_learn(step["step"]) for step in steps):
        return {}
    total = _nothing()
    by_question: dict[str, dict[str, dict[str, float]]] = {}
    for step in steps:
        part = part_of(step)
        own = by_question.setdefault(step["question_id"], _nothing())
        for costs in (total[part], own[part]):
            for name in _COUNTED:
                costs[name] = round(costs[name] + step[name], 6)
    return {**total, "by_question": by_question}


@cache
def _moment(step: str) -> Moment | None:
    """When a step of this name runs; None where no program has it in its list."""
    return STEPS[step].moment if step in STEPS else None


@cache
def _may_learn(step: str) -> bool:
    """Whether a step learns before the answer is judged, or writes candidates that could be learnt from."""
    return step in STEPS and (STEPS[step].moment is Moment.LEARN or "candidates" in STEPS[step].gives)


def _nothing() -> dict[str, dict[str, float]]:
    return {part: dict.fromkeys(_COUNTED, 0) for part in PARTS}
