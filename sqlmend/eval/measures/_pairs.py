"""Paired differences: the pairs asked for, and what the answer to a twin is worth."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from sqlmend.eval._orders import orders_said
from sqlmend.eval.measures._cases import Outcomes, cases, outcomes
from sqlmend.eval.measures._comparison import Comparison, Condition
from sqlmend.eval.measures._draws import Draws
from sqlmend.eval.measures._verdicts import holds, standing, verdict
from sqlmend.eval.statistics import Difference, holm, mcnemar

#: What the units of the bootstrap are called.
UNITS = {"group": "groups of twins", "question": "questions"}


@dataclass
class _Test:
    """One pair of programs under one group rule, as far as both are finished.

    Attributes:
        sides: The two.
        orders: Those that both have finished.
        outcomes: How they did on each question.
        difference: Their difference in EX, None where both have finished no order.
        mcnemar: McNemar's p where they have finished one order together.
        p_holm: Holm's p.
        mcnemar_holm: Holm's p of McNemar's test.
        family: Over how many pairs these are taken.
    """

    sides: tuple[Condition, Condition]
    orders: Sequence[int]
    outcomes: Outcomes
    difference: Difference | None
    mcnemar: float | None
    p_holm: float = 0.0
    mcnemar_holm: float = 0.0
    family: int = 0


def pairs(comparison: Comparison, draws: Draws) -> list[dict[str, Any]]:
    """A row for each pair asked for and each group rule; see ``results``.

    Holm's correction is over the pairs asked for under one group rule; a pair that reads no memory counts
    under each, and takes the largest p that it gets. One that is not finished counts as if it had p = 1, the
    worst that it can do to the others: a figure of an unfinished comparison is not surer than in the end.
    """
    rules = comparison.config["same_group"]
    asked = [
        [(comparison.under(a, rule), comparison.under(b, rule)) for a, b in comparison.config["pairs"]]
        for rule in rules
    ]
    in_rows = dict.fromkeys(sides for pair in zip(*asked, strict=True) for sides in pair)
    tests = {sides: _test(comparison, draws, *sides) for sides in in_rows}
    for family in asked:
        _correct([tests[sides] for sides in family])
    return [_row(comparison, draws, test) for test in tests.values()]


def group_effects(comparison: Comparison, draws: Draws) -> list[dict[str, Any]]:
    """How much better each program does that may recall what twins left; see ``results``."""
    rows, unit = [], UNITS[comparison.config["unit"]]
    for program, name in comparison.names.items():
        allow, exclude = (Condition(program, rule) for rule in ("allow", "exclude"))
        orders = comparison.orders(allow, exclude)
        if not orders:
            continue
        found = draws.difference("ex_after", allow, exclude, orders)
        names = f"{name} with twins allowed - excluded"
        rows.append(
            {
                "program": program,
                "orders": orders,
                "ex_allow": draws.quantity("ex_after", allow, orders).value,
                "ex_exclude": draws.quantity("ex_after", exclude, orders).value,
                **_described(found),
                "holds": holds(found),
                "standing": standing(found, unit),
                "verdict": verdict(names + _over(comparison, orders), found, unit),
            }
        )
    return rows


def _test(comparison: Comparison, draws: Draws, a: Condition, b: Condition) -> _Test:
    orders = comparison.orders(a, b)
    found = outcomes(comparison, a, b)
    return _Test(
        (a, b),
        orders,
        found,
        draws.difference("ex_after", a, b, orders) if orders else None,
        mcnemar(found.count(1), found.count(-1)) if len(orders) == 1 else None,
    )


def _correct(family: Sequence[_Test]) -> None:
    of_differences = holm([1.0 if test.difference is None else test.difference.p for test in family])
    of_mcnemar = holm([1.0 if test.mcnemar is None else test.mcnemar for test in family])
    for test, p, exact in zip(family, of_differences, of_mcnemar, strict=True):
        test.p_holm = max(test.p_holm, p)
        test.mcnemar_holm = max(test.mcnemar_holm, exact)
        test.family = len(family)


def _row(comparison: Comparison, draws: Draws, test: _Test) -> dict[str, Any]:
    a, b = test.sides
    names = " - ".join(comparison.names[side.program] for side in test.sides)
    unit = UNITS[comparison.config["unit"]]
    holm_over: dict[str, Any] = {"p_holm": test.p_holm, "pairs": test.family}
    head = {"a": a.program, "b": b.program, "same_group": a.same_group or b.same_group, "orders": test.orders}
    if test.difference is None:
        return {
            **head,
            **dict.fromkeys(("ex", "repair_steps", "tokens_per_question", "mcnemar")),
            "wins": 0,
            "losses": 0,
            "ties": 0,
            "verdict": f"Not compared. {names}: no order of both is finished.",
            "cases": [],
            "cases_left_out": 0,
        }
    wins, losses, ties = (test.outcomes.count(sign) for sign in (1, -1, 0))
    shown = cases(comparison, a, b, test.outcomes)
    steps, tokens = (
        draws.difference(name, a, b, test.orders) for name in ("repair_steps", "tokens_per_question")
    )
    return {
        **head,
        "ex": {
            **_described(test.difference),
            "p_holm": test.p_holm,
            "holds": holds(test.difference, test.p_holm),
            "standing": standing(test.difference, unit, **holm_over),
        },
        "repair_steps": None if math.isnan(steps.value) else _described(steps),
        "tokens_per_question": _described(tokens),
        "mcnemar": None
        if test.mcnemar is None
        else {"wins": wins, "losses": losses, "p": test.mcnemar, "p_holm": test.mcnemar_holm},
        "wins": wins,
        "losses": losses,
        "ties": ties,
        "verdict": verdict(names + _over(comparison, test.orders), test.difference, unit, **holm_over),
        "cases": shown,
        "cases_left_out": wins + losses - len(shown),
    }


def _over(comparison: Comparison, orders: Sequence[int]) -> str:
    """The orders in brackets where they are not all that were asked for."""
    return "" if list(orders) == comparison.config["orders"] else f" ({orders_said(orders)})"


def _described(found: Difference) -> dict[str, Any]:
    return {
        "difference": found.value,
        "low": _number(found.low),
        "high": _number(found.high),
        "se": _number(found.se),
        "p": found.p,
        "differing": found.differing,
        "separated": found.separated,
        "questions_needed": found.questions_needed,
    }


def _number(value: float) -> float | None:
    """None where too few resamples have the figure to say more of it."""
    return None if math.isnan(value) else value
