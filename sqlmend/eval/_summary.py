"""A run in numbers: a pure function of its episodes and its step log."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sqlmend._files import canonical_json, sha256_text
from sqlmend.eval._apart import costs_apart


def summarize(
    episodes: Sequence[Mapping[str, Any]], steps: Sequence[Mapping[str, Any]], provenance: Mapping[str, Any]
) -> dict[str, Any]:
    """The content of ``summary.json``.

    EX is the share of questions whose query matches the reference under the definition named.
    ``steps`` are revisions; ``calls`` and tokens count memo hits as what they would have cost, and
    ``calls_paid`` the calls of its episodes that this run paid for. Seconds are those that this run spent,
    resumed parts included. Programs that learn before the answer is judged, and their baselines, have
    ``answering``, ``construction``, ``repair`` and ``by_question`` as well, and ``unlearnt`` where learning
    from an answer failed: the number of those questions. ``cut_off`` is there where an answer did not come to
    its own end: the number of those calls.

    Args:
        episodes: Records of ``episodes.jsonl``.
        steps: Records of ``steps.jsonl``.
        provenance: Must hold program, benchmark, definition and left_out; the rest is kept apart.
    """
    n = len(episodes)
    failed = [episode for episode in episodes if not episode["score_before"]]
    unlearnt = sum("unlearnt" in episode for episode in episodes)
    cut_off = sum(step.get("cut_off", 0) for step in last_runs(steps))
    model = sum(step["seconds_model"] for step in steps)
    head = {key: provenance[key] for key in ("program", "benchmark", "definition")}
    rest = {key: value for key, value in provenance.items() if key not in (*head, "left_out")}
    return {
        **head,
        "n": n,
        "left_out": provenance["left_out"],
        "ex_before": _share(sum(episode["score_before"] for episode in episodes), n),
        "ex_after": _share(sum(episode["score_after"] for episode in episodes), n),
        "failed_initially": len(failed),
        "repaired": sum(episode["score_after"] for episode in failed),
        "steps": sum(max(0, len(episode["attempts"]) - 1) for episode in episodes),
        "committed": dict(Counter(entry["kind"] for episode in episodes for entry in episode["committed"])),
        "flags": dict(Counter(flag for episode in episodes for flag in episode["flags"])),
        "errors": sum(episode["error"] is not None for episode in episodes),
        **({"unlearnt": unlearnt} if unlearnt else {}),
        "calls": sum(episode["calls"] for episode in episodes),
        "calls_paid": sum(len(step["paid"]) for step in last_runs(steps)),
        "prompt_tokens": sum(episode["prompt_tokens"] for episode in episodes),
        "output_tokens": sum(episode["output_tokens"] for episode in episodes),
        "cached_tokens": sum(step["cached_tokens"] for step in last_runs(steps)),
        **({"cut_off": cut_off} if cut_off else {}),
        "seconds_model": round(model, 3),
        "seconds_outside": round(sum(step["seconds"] for step in steps) - model, 3),
        **costs_apart(last_runs(steps)),
        "provenance": {**rest, "initial_hash": _initial_hash(episodes)},
    }


def last_runs(steps: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """The steps of each episode since it was last begun: the log has those of a killed attempt at it too.

    A step that comes again begins it anew, and so does one after the commit, which is its end, or with fewer
    attempts than there were. What the killed attempt had done beyond is no part of the episode: without a
    memo the next one may have gone another way.
    """
    since: dict[int, dict[tuple[str, int], Mapping[str, Any]]] = {}
    for step in steps:
        key = step["step"], step["attempt"]
        found = since.setdefault(step["position"], {})
        last, attempts = next(reversed(found), ("", 0))
        if key in found or last == "commit" or step["attempt"] < attempts:
            found.clear()
        found[key] = step
    return [step for found in since.values() for step in found.values()]


def _initial_hash(episodes: Sequence[Mapping[str, Any]]) -> str:
    """Hash of the initial SQL by question: equal where programs started from the same predictions."""
    initial = {e["question_id"]: e["attempts"][0]["sql"] for e in episodes if e["attempts"]}
    return "sha256:" + sha256_text(canonical_json(initial))


def _share(part: int, whole: int) -> float:
    """``part / whole``, 0 where there is nothing."""
    return part / whole if whole else 0.0
