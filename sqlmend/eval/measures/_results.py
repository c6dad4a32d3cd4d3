"""The document of a comparison: everything that its reports show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlmend.eval.measures._breakdowns import breakdowns
from sqlmend.eval.measures._by_question import by_question
from sqlmend.eval.measures._comparison import Comparison, Condition
from sqlmend.eval.measures._curves import curves
from sqlmend.eval.measures._draws import Draws
from sqlmend.eval.measures._notes import initial_equal, notes
from sqlmend.eval.measures._pairs import UNITS, group_effects, pairs
from sqlmend.eval.measures._recall import memories, recall
from sqlmend.eval.measures._run_measures import catalogue, over_orders, run_measures
from sqlmend.eval.measures._trees import trees
from sqlmend.eval.statistics import LEVEL, POWER

#: Version of the document.
FORMAT = 1


def results(folder: Path) -> dict[str, Any]:
    """The content of ``results.json``, from what is on disk of a comparison; nothing is written.

    Lists of flat rows, told apart by ``program`` (its key) and ``same_group`` (``allow`` or ``exclude``, None
    for a program that reads no memory): ``programs`` (mean and sample standard deviation over orders of every
    measure, and the interval of EX), ``runs`` (by order), ``by_question`` (costs of answering, memory
    construction and repair of each question, mean over orders), ``breakdowns``, ``curves``, ``pairs``
    (differences with their cases), ``group_effects``, ``recall``, ``trees`` (the merged reasoning that cases
    show, and the first of each program). ``measures`` says what each measure means,
    ``provenance`` under what conditions they were taken, ``notes`` what has to be known first, ``memories``
    what the rows name by id. Shares are 0 to 1; None is what cannot be said.

    Runs that are not finished are named in ``missing`` and in ``notes``, and left out of every figure.

    Args:
        folder: The comparison's folder.

    Raises:
        InputError: It holds no comparison.
        SqlmendError: A file is damaged or of an earlier version.
    """
    comparison = Comparison(folder)
    draws = Draws(comparison)
    measured = {key: run_measures(run.figures, run.budget) for key, run in comparison.runs.items()}
    compared = pairs(comparison, draws)
    recalled = recall(comparison)
    return {
        "format": FORMAT,
        "title": _title(comparison),
        "complete": not comparison.missing,
        "missing": comparison.missing,
        "notes": notes(comparison),
        "provenance": _provenance(comparison),
        "measures": [dict(measure) for measure in catalogue()],
        "programs": [
            _program(
                comparison, draws, condition, [measured[condition, o] for o in comparison.orders(condition)]
            )
            for condition in comparison.conditions
            if comparison.orders(condition)
        ],
        "runs": [
            {**condition.to_dict(), "order": order, **measures}
            for (condition, order), measures in measured.items()
        ],
        "by_question": by_question(comparison),
        "breakdowns": breakdowns(comparison),
        "curves": curves(comparison),
        "pairs": compared,
        "group_effects": group_effects(comparison, draws),
        "recall": recalled,
        "memories": memories(comparison, _named(compared, recalled)),
        "trees": trees(comparison, compared),
    }


def _program(
    comparison: Comparison, draws: Draws, condition: Condition, measured: list[dict[str, float | None]]
) -> dict[str, Any]:
    orders = comparison.orders(condition)
    mean, deviation = over_orders(measured)
    low, high = draws.quantity("ex_after", condition, orders).interval(LEVEL)
    return {
        **condition.to_dict(),
        "orders": orders,
        "mean": mean,
        "sd": deviation,
        "ex_low": low,
        "ex_high": high,
    }


def _named(compared: list[dict[str, Any]], recalled: list[dict[str, Any]]) -> list[str]:
    """Ids of the memories that rows name."""
    of_cases = [
        memory
        for row in compared
        for case in row["cases"]
        for side in ("a", "b")
        for attempt in case[side]["attempts"]
        for memory in attempt["recalled"]
    ]
    return [*of_cases, *(memory["id"] for row in recalled for memory in row["top"])]


def _title(comparison: Comparison) -> str:
    programs, orders = len(comparison.names), len(comparison.config["orders"])
    return (
        f"{programs} program{'s' if programs > 1 else ''} on {comparison.config['benchmark']['name']},"
        f" {orders} order{'s' if orders > 1 else ''}"
    )


def _provenance(comparison: Comparison) -> dict[str, Any]:
    config = comparison.config
    kept = (
        "selection definition regime timeout_s budget embedder lm prompts"
        " orders same_group unit resamples seed"
    )
    benchmark = config["benchmark"]
    programs = [
        {
            **{name: p[name] for name in ("key", "name", "summary", "origin", "reads_memory", "preset")},
            "budget": p["preset"]["budget"],
            "section_order": p["preset"]["section_order"],
        }
        for p in config["programs"]
    ]
    return {
        "benchmark": benchmark["name"],
        "data_hash": benchmark["data_hash"],
        "left_out": benchmark["left_out"],
        **{name: config[name] for name in kept.split()},
        "versions": comparison.versions,
        **{name: config[name] for name in ("demonstrations",) if name in config},
        "section_orders": sorted({p["section_order"] for p in programs}),
        "questions": len(comparison.questions),
        "groups": len(set(comparison.groups.values())),
        "databases": sorted({question["db_id"] for question in comparison.questions}),
        "level": LEVEL,
        "initial_equal": initial_equal(comparison),
        "statistics": _statistics(config["unit"], config["resamples"]),
        "programs": programs,
    }


def _statistics(unit: str, resamples: int) -> dict[str, str]:
    """How the figures were taken, a sentence each."""
    units = UNITS[unit]
    return {
        "interval": (
            f"{LEVEL:.0%} percentile intervals of a cluster bootstrap: {units} are drawn with replacement"
            f" {resamples:,} times, each with all its questions and all their orders."
        ),
        "p": (
            "Two-sided bootstrap p: twice the share of resamples on the far side of zero, one added to both"
            f" counts; never below what a sign test over the {units} that differ can give."
        ),
        "holm": (
            "Holm's correction over the pairs asked for, under each group rule by itself; one that is not"
            " finished counts as p = 1. Separated means: the interval leaves zero out and p is at most"
            f" {1 - LEVEL:.2f}, also after the correction."
        ),
        "mcnemar": (
            "With a single order also McNemar's exact test over questions, which takes twins as independent."
        ),
        "needed": (
            f"Questions needed: n ((z({(1 + LEVEL) / 2:.3f}) + z({POWER:g})) se / difference)^2, for a chance"
            f" of {POWER:.0%} that the interval leaves zero out, on questions like these."
        ),
    }
