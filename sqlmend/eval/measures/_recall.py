"""What was recalled, and whether those episodes were repaired: an observation, no effect."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Any

from sqlmend._text import cap
from sqlmend.eval.measures._comparison import Comparison, Condition
from sqlmend.eval.measures._figures import Figures
from sqlmend.eval.measures._run_measures import share
from sqlmend.memory import Entry

#: So many of the memories that were recalled most are named, by each condition and in all.
TOP = 30
#: Texts are cut to this many characters.
LIMIT = 2_000

_NONE, _OTHERS, _TWINS = "none", "others", "twins"


def recall(comparison: Comparison) -> list[dict[str, Any]]:
    """A row for each condition that recalls, over its orders; see ``results``."""
    return [
        _row(comparison, condition)
        for condition in comparison.conditions
        if condition.same_group is not None and comparison.orders(condition)
    ]


def memories(comparison: Comparison, ids: Iterable[str]) -> dict[str, dict[str, Any]]:
    """The entries of these ids and those recalled most in all; one that was retired since is left out.

    ``episodes`` and ``repaired`` of each count over all programs, group rules and orders.
    """
    entries = comparison.entries
    recalled, repaired = _used(f for run in comparison.runs.values() for f in run.figures)
    return {
        name: {**_described(entries[name]), "episodes": recalled[name], "repaired": repaired[name]}
        for name in dict.fromkeys([*ids, *_most(recalled, repaired)])
        if name in entries
    }


def _used(figures: Iterable[Figures]) -> tuple[Counter[str], Counter[str]]:
    """In how many episodes that failed at first each memory was recalled, and how many were repaired."""
    failed = [f for f in figures if f.failed]
    return (
        Counter(memory for f in failed for memory in f.recalled),
        Counter(memory for f in failed if f.after for memory in f.recalled),
    )


def _most(recalled: Counter[str], repaired: Counter[str]) -> list[str]:
    return sorted(recalled, key=lambda memory: (-recalled[memory], -repaired[memory], memory))[:TOP]


def _row(comparison: Comparison, condition: Condition) -> dict[str, Any]:
    failed = [f for run in comparison.runs_of(condition) for f in run.figures if f.failed]
    kinds: dict[str, list[Figures]] = {_NONE: [], _OTHERS: [], _TWINS: []}
    for figures in failed:
        kinds[_kind(comparison, figures)].append(figures)
    recalled, repaired = _used(failed)
    return {
        **condition.to_dict(),
        "orders": comparison.orders(condition),
        "groups": [
            {
                "with": kind,
                "failed": len(members),
                "repaired": sum(f.after for f in members),
                "share": share(sum(f.after for f in members), len(members)),
            }
            for kind, members in kinds.items()
        ],
        "top": [
            {"id": m, "episodes": recalled[m], "repaired": repaired[m]} for m in _most(recalled, repaired)
        ],
        "entries": len(recalled),
    }


def _kind(comparison: Comparison, figures: Figures) -> str:
    if not figures.recalled:
        return _NONE
    entries, groups = comparison.entries, comparison.groups
    group = groups[figures.question_id]
    sources = (entries[memory] for memory in figures.recalled if memory in entries)
    if any(e.db_id == figures.db_id and groups.get(e.question_id) == group for e in sources):
        return _TWINS
    return _OTHERS


def _described(entry: Entry) -> dict[str, Any]:
    """What a reader needs of an entry of any kind, without its schema."""
    data = entry.to_dict()
    return {
        "kind": entry.kind,
        "question_id": entry.question_id,
        "question": cap(entry.question, LIMIT),
        "db_id": entry.db_id,
        "failure_type": data.get("failure_type"),
        "before": _execution(data.get("before") or data.get("attempt")),
        "after": _execution(data.get("after")),
        "delta": _capped(data.get("delta")),
        "text": _capped(data.get("text")),
    }


def _execution(data: dict[str, Any] | None) -> dict[str, Any] | None:
    if data is None:
        return None
    return {"sql": cap(data["sql"], LIMIT), "status": data["status"], "error": _capped(data["error"])}


def _capped(text: str | None) -> str | None:
    return None if text is None else cap(text, LIMIT)
