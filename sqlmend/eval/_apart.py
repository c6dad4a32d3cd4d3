"""What answering costs, and what the memory costs, of programs that learn on the way."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmend.programs.steps import STEPS, Moment

_COUNTED = ("calls", "prompt_tokens", "output_tokens", "seconds_model", "seconds_answers")


def costs_apart(steps: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Calls, tokens and seconds of answering and of memory construction, in all and by question.

    Construction is every step that learns before the answer is judged, and the commit.

    Args:
        steps: The last run of each step.

    Returns:
        ``answering`` and ``construction`` with their sums, and ``by_question`` with both for each id; empty
        where no step learns so.
    """
    if not any(_constructs(step) for step in steps):
        return {}
    total = {"answering": _nothing(), "construction": _nothing()}
    by_question: dict[str, dict[str, dict[str, float]]] = {}
    for step in steps:
        part = "construction" if _constructs(step) or step["step"] == "commit" else "answering"
        own = by_question.setdefault(
            step["question_id"], {"answering": _nothing(), "construction": _nothing()}
        )
        for costs in (total[part], own[part]):
            for name in _COUNTED:
                costs[name] = round(costs[name] + step[name], 6)
    return {**total, "by_question": by_question}


def _constructs(step: Mapping[str, Any]) -> bool:
    name = step["step"]
    return name in STEPS and STEPS[name].moment is Moment.LEARN


def _nothing() -> dict[str, float]:
    return dict.fromkeys(_COUNTED, 0)
