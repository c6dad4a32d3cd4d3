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

    Calls and tokens are means over the questions that both ways have finished, and add up over the rounds; a
    memo hit counts as what it would have cost. A question stays right from the round on in which its query
    was confirmed.
    """
    pieces = {"without": repair(tables.plan), "with": serving(tables.plan)}
    episodes = {way: {e["question_id"]: e for e in tables.episodes(piece)} for way, piece in pieces.items()}
    common = episodes["without"].keys() & episodes["with"].keys()
    if not common:
        return []
    chosen = {way: [found[i] for i in sorted(common)] for way, found in episodes.items()}
    steps = {
        way: [step for step in tables.steps(piece) if step["question_id"] in common]
        for way, piece in pieces.items()
    }
    last = max(len(episode["attempts"]) for rows in chosen.values() for episode in rows)
    return [
        {"round": number, **{way: _round(chosen[way], steps[way], number) for way in pieces}}
        for number in range(last)
    ]


def _round(episodes: Rows, steps: Rows, number: int) -> dict[str, float]:
    spent = [step for step in steps if step["attempt"] <= number]
    n = len(episodes)
    return {
        "questions": n,
        "ex": sum(e["score_after"] and len(e["attempts"]) - 1 <= number for e in episodes) / n,
        "calls": sum(step["calls"] for step in spent) / n,
        "tokens": sum(step["prompt_tokens"] + step["output_tokens"] for step in spent) / n,
    }


def changes(memory: Outcomes | None, without: Mapping[str, int]) -> dict[str, Any] | None:
    """Which questions memory fixes and which it breaks, at the first answer.

    Args:
        memory: What is right with memory.
        without: Whether each question is right without.

    Returns:
        ``fixed`` and ``broken`` (mean over seeds), ``stably_fixed`` and ``stably_broken`` (under every seed
        that asked) as numbers, and the ids of the stable ones; None where nothing was asked.
    """
    if memory is None:
        return None
    before = np.array([without.get(question_id, np.nan) for question_id in memory.question_ids])[
        :, np.newaxis
    ]
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

    Comparable are the other first failures of the same databases, each database weighted as among the fixed;
    a fixed question whose database has none is left out of both shares that are held against each other.

    Args:
        tables: The study.
        fixed: Ids of the questions that memory fixes stably.
    """
    by_id, repaired = tables.plan.by_id, tables.repaired
    failures = [i for i in repaired if tables.first_answers.get(i) == 0]
    own, alike = [], []
    for question_id in fixed:
        db_id = by_id[question_id].db_id
        others = [repaired[i] for i in failures if by_id[i].db_id == db_id and i not in fixed]
        if others and question_id in repaired:
            own.append(repaired[question_id])
            alike.append(sum(others) / len(others))
    return {
        "fixed": len(fixed),
        "resolved_of_fixed": _mean([repaired[i] for i in fixed if i in repaired]),
        "with_comparable": len(own),
        "resolved_of_those": _mean(own),
        "resolved_of_comparable": _mean(alike),
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
    if not ways:
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
