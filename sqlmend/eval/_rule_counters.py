"""How often each rule was used, and what a run could see of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def rule_counters(episodes: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, int]]:
    """Rule id to what a run could see of its use; no verdict is in it.

    ``shown``: questions whose prompts showed it; ``executed``: of those, how many answers ran; ``agreed``:
    how many answers at least half of the candidates agreed on.
    """
    counters: dict[str, dict[str, int]] = {}
    for episode in episodes:
        reasoning = episode.get("reasoning") or {}
        answer = next(
            (c for c in reasoning.get("candidates", ()) if c["label"] == reasoning["selected"]), None
        )
        for rule_id in reasoning.get("rules", ()):
            counter = counters.setdefault(rule_id, {"shown": 0, "executed": 0, "agreed": 0})
            counter["shown"] += 1
            counter["executed"] += answer is not None and answer["status"] == "ok"
            counter["agreed"] += reasoning["confidence"] >= 0.5
    return counters
