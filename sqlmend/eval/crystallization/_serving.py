"""Serving: a first answer with memory and rounds of repair, against repair without memory."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sqlmend.eval.crystallization._contrast import Outcomes
from sqlmend.eval.crystallization._pieces import acquisition, repair, serving
from sqlmend.eval.crystallization._tables import Tables

Rows = Sequence[Mapping[str, Any]]


def rounds(tables: Tables) -> list[dict[str, Any]]:
    """EX, calls and tokens after the first answer (round 0) and after each round of repair.

    Calls and tokens are means over all questions and add up over the rounds; a memo hit counts as what it
    would have cost. A question stays right from the round on in which its query was confirmed.
    """
    ways = {
        "without": (tables.episodes(repair(tables.plan)), tables.steps(repair(tables.plan))),
        "with": (tables.served, tables.steps(serving(tables.plan))),
    }
    last = max((len(e["attempts"]) for episodes, _ in ways.values() for e in episodes), default=1)
    return [
        {"round": number, **{way: _round(*rows, number) for way, rows in ways.items()}}
        for number in range(last)
    ]


def _round(episodes: Rows, steps: Rows, number: int) -> dict[str, float] | None:
    if not episodes:
        return None
    spent = [step for step in steps if step["attempt"] <= number]
    n = len(episodes)
    return {
        "ex": sum(e["score_after"] and len(e["attempts"]) - 1 <= number for e in episodes) / n,
        "calls": sum(step["calls"] for step in spent) / n,
        "tokens": sum(step["prompt_tokens"] + step["output_tokens"] for step in spent) / n,
    }


def changes(memory: Outcomes | None, first: Mapping[str, int]) -> dict[str, Any] | None:
    """Which questions memory fixes and which it breaks, at the first answer.

    Returns:
        ``fixed`` and ``broken`` (mean over seeds), ``stably_fixed`` and ``stably_broken`` (under every seed
        that asked) as numbers, and the ids of the stable ones; None where nothing was asked.
    """
    if memory is None:
        return None
    before = np.array([first.get(question_id, np.nan) for question_id in memory.question_ids])[:, np.newaxis]
    asked = ~np.isnan(memory.right)
    fixed = asked & (memory.right == 1) & (before == 0)
    broken = asked & (memory.right == 0) & (before == 1)
    stable = {name: (table | ~asked).all(axis=1) for name, table in (("fixed", fixed), ("broken", broken))}
    ids = np.array(memory.question_ids)
    return {
        "fixed": float(fixed.sum() / memory.right.shape[1]),
        "broken": float(broken.sum() / memory.right.shape[1]),
        "stably_fixed": int(stable["fixed"].sum()),
        "stably_broken": int(stable["broken"].sum()),
        "fixed_ids": ids[stable["fixed"]].tolist(),
        "broken_ids": ids[stable["broken"]].tolist(),
    }


def resolved(tables: Tables, fixed: Sequence[str]) -> dict[str, Any]:
    """What repair without memory resolves of the questions that memory fixes, and of comparable ones.

    Comparable are the other first failures of the same databases, each database weighted as among the fixed.

    Args:
        tables: The study.
        fixed: Ids of the questions that memory fixes stably.
    """
    by_id = tables.plan.by_id
    others = [i for i, right in tables.first_answers.items() if not right and i in tables.repaired]
    shares, comparable = [], 0
    for question_id in fixed:
        db_id = by_id[question_id].db_id
        alike = [i for i in others if by_id[i].db_id == db_id and i not in fixed]
        if alike:
            comparable += 1
            shares.append(sum(tables.repaired[i] for i in alike) / len(alike))
    return {
        "fixed": len(fixed),
        "resolved_of_fixed": _mean([tables.repaired.get(i, 0) for i in fixed]),
        "with_comparable": comparable,
        "resolved_of_comparable": _mean(shares),
    }


def amortisation(tables: Tables) -> dict[str, Any] | None:
    """What the default bank cost to build, and after how many questions it has paid for itself.

    Building is everything that collecting attempts cost after the first answers (those had to be given
    anyway). Saved is, for each later question, what serving without memory costs more than serving with it,
    all rounds of repair included.

    Returns:
        ``build``, ``saved`` (per question; negative: it costs) and ``break_even`` (questions; None where it
        never comes), each in calls and in tokens; None where serving is not measured.
    """
    ways = rounds(tables)
    if not ways or ways[-1]["with"] is None or ways[-1]["without"] is None:
        return None
    later = [step for step in tables.steps(acquisition(tables.plan, "probe", None)) if step["attempt"] > 0]
    build = {
        "calls": sum(step["calls"] for step in later),
        "tokens": sum(step["prompt_tokens"] + step["output_tokens"] for step in later),
    }
    saved = {unit: ways[-1]["without"][unit] - ways[-1]["with"][unit] for unit in build}
    return {
        "build": build,
        "saved": saved,
        "break_even": {unit: build[unit] / saved[unit] if saved[unit] > 0 else None for unit in build},
    }


def _mean(values: Sequence[float]) -> float | None:
    return sum(values) / len(values) if values else None
