"""A study in numbers and plain sentences."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from optuna.trial import FrozenTrial, TrialState

from sqlmend._files import canonical_json
from sqlmend._text import address
from sqlmend.optimize._importance import importance
from sqlmend.optimize._pruner import DEFAULTS, OUTCOMES
from sqlmend.optimize._sampler import SURPLUS
from sqlmend.optimize._search import FIGURES, SETTINGS
from sqlmend.optimize._study import RETRIES, first_number

if TYPE_CHECKING:
    from optuna import Study

    from sqlmend.optimize._request import TuneRequest
    from sqlmend.optimize._study import StudyPlan

FORMAT = 1
_SUMS = ("calls", "calls_paid", "seconds")


def best_of(study: Study) -> FrozenTrial:
    """The complete trial of the highest EX.

    Of equal ones the one with fewer tokens if they count, then the program as it is, then the first.
    """
    counts_tokens = len(study.directions) > 1

    def key(trial: FrozenTrial) -> tuple[float, float, bool, int]:
        tokens = figures(trial)["tokens_per_question"] if counts_tokens else 0.0
        return figures(trial)["ex"], -tokens, trial.user_attrs[DEFAULTS], -trial.number

    return max(_complete(study), key=key)


def front_of(study: Study) -> list[FrozenTrial]:
    """The Pareto front, highest EX first; one trial for each point of it."""
    points: dict[tuple[float, ...], FrozenTrial] = {}
    for trial in sorted(study.best_trials, key=lambda trial: trial.number):
        points.setdefault(tuple(trial.values), trial)
    return sorted(points.values(), key=lambda trial: (-figures(trial)["ex"], trial.number))


def result_document(
    request: TuneRequest, plan: StudyPlan, study: Study, held_out: Mapping[str, Any] | None
) -> dict[str, Any]:
    """The content of ``result.json``: plain JSON values; shares are 0 to 1, not per cent.

    Args:
        request: What was asked.
        plan: The study's plan.
        study: The finished study.
        held_out: See ``judge_held_out``; None where nothing was held out.
    """
    trials = [
        trial
        for trial in study.get_trials(deepcopy=False)
        if trial.state.is_finished() and SURPLUS not in trial.user_attrs
    ]
    states = Counter(trial.state.name.lower() for trial in trials)
    counted = [
        trial for trial in trials if FIGURES in trial.user_attrs and trial.state is not TrialState.FAIL
    ]
    first, best = next(t for t in counted if t.user_attrs[DEFAULTS]), best_of(study)
    sums = {name: sum(figures(trial)[name] for trial in counted) for name in _SUMS}
    gain = figures(best)["ex"] - figures(first)["ex"]
    document = {
        "format": FORMAT,
        "program": request.program.preset.name,
        "study": {
            "name": plan.name,
            "storage": None if plan.storage is None else address(plan.storage),
            "objectives": list(plan.objectives),
            "space": plan.space.to_data(),
            "combinations": plan.space.size,
            "programs": plan.space.programs,
            **plan.sampling,
        },
        "provenance": {
            **plan.meaning,
            "selection": dict(request.selection),
            "holdout": None
            if request.holdout is None
            else {
                "benchmark": request.holdout.name,
                "data_hash": request.holdout.data_hash,
                "selection": dict(request.holdout_selection),
            },
        },
        "trials": {
            "asked": request.trials,
            **{name: states.get(name, 0) for name in ("complete", "pruned", "fail")},
            "again": sum(RETRIES in trial.user_attrs for trial in counted),
        },
        "defaults": _told(first, plan),
        "best": _told(best, plan),
        "front": [_told(trial, plan) for trial in front_of(study)] if len(plan.objectives) > 1 else [],
        "train": {
            "benchmark": request.train.name,
            "questions": len(request.train.questions),
            "groups": len(set(request.train.groups.values())),
            "orders": list(request.orders),
            "ex_defaults": figures(first)["ex"],
            "ex_best": figures(best)["ex"],
            "difference": gain,
        },
        "holdout": None if held_out is None else dict(held_out),
        "selection_bias": None if held_out is None else gain - held_out["difference"],
        "calls": sums["calls"] + (held_out["calls"] if held_out else 0),
        "calls_paid": sums["calls_paid"] + (held_out["calls_paid"] if held_out else 0),
        "seconds_streams": round(sums["seconds"] + (held_out["seconds"] if held_out else 0.0), 3),
        "seconds_tuner": round(sum(map(_overhead, counted)), 3),
        "importance": importance(_complete(study), plan.space),
        "history": [_told(trial, plan) for trial in counted],
    }
    return {**document, "words": words(document)}


def words(document: Mapping[str, Any]) -> list[str]:
    """What a reader must know of the figures, in sentences."""
    train, held, trials = document["train"], document["holdout"], document["trials"]
    n = trials["complete"] + trials["pruned"]
    if document["best"]["number"] == document["defaults"]["number"]:
        lines = [f"None of {n} trials beat the program as it is: its settings stay."]
    else:
        lines = [
            f"The best of {n} trials has EX {train['ex_best']:.1%} on the training questions, the program as"
            f" it is {train['ex_defaults']:.1%}. The best of many is high by luck as well: read the held-out"
            " figure."
        ]
    tried = len({canonical_json(trial["settings"]) for trial in document["history"]})
    if (programs := document["study"]["programs"]) is not None and programs <= tried:
        lines.append(f"All {programs} different programs of this space were tried.")
    if held is None:
        lines.append("Nothing was held out: what the gain is worth on other questions is not known.")
        return lines
    if len(document["front"]) > 1:
        lines.append(
            f"Of the {len(document['front'])} programs of the Pareto front the one of the highest EX was held"
            " against held-out questions; of the others only training figures are known."
        )
    interval = f"95 % interval {100 * held['low']:+.1f} to {100 * held['high']:+.1f}"
    lines.append(
        f"On {held['questions']} held-out questions ({held['groups']} groups): {held['ex_defaults']:.1%}"
        f" before, {held['ex_best']:.1%} after, {100 * held['difference']:+.1f} points, {interval}:"
        f" {_separated(held)}."
    )
    if held["looks"] > 1:
        lines.append(
            f"A best program of this study was held against held-out questions {held['looks']} times: each"
            " look after the first makes them less held out."
        )
    lines.append(
        f"Selection bias: the gain on the training questions is {100 * train['difference']:+.1f} points,"
        f" {100 * document['selection_bias']:+.1f} more than on the held-out ones. This is a figure without"
        f" an interval: chance in both sets of questions is in it, and {_apart(train, held)}."
    )
    if "tokens" in document["study"]["objectives"]:
        lines.append(
            f"A held-out question takes {held['tokens_defaults']:,.0f} tokens as it is,"
            f" {held['tokens_best']:,.0f} with the best settings."
        )
    if held["questions_needed"]:
        lines.append(f"About {held['questions_needed']} held-out questions would separate such a difference.")
    return lines


def _apart(train: Mapping[str, Any], held: Mapping[str, Any]) -> str:
    if train["benchmark"] == held["benchmark"]:
        return "whatever else differs between them"
    return f"whatever else differs between {train['benchmark']} and {held['benchmark']}"


def _separated(held: Mapping[str, Any]) -> str:
    if held["separated"] and held["high"] < 0:
        return "separated from zero, and worse: do not use it"
    if held["separated"]:
        return "separated from zero"
    if held["low"] > 0 or held["high"] < 0:
        return f"not separated from zero, because only {held['differing']} groups differ"
    return "not separated from zero"


def figures(trial: FrozenTrial) -> dict[str, float]:
    """What a trial cost and brought."""
    found: dict[str, float] = trial.user_attrs[FIGURES]
    return found


def _complete(study: Study) -> list[FrozenTrial]:
    return [trial for trial in study.get_trials(deepcopy=False) if trial.state is TrialState.COMPLETE]


def _told(trial: FrozenTrial, plan: StudyPlan) -> dict[str, Any]:
    settings = trial.user_attrs[SETTINGS]
    return {
        "number": trial.number,
        "folder": f"trials/{first_number(trial)}",
        "state": trial.state.name.lower(),
        "asked": len(trial.user_attrs[OUTCOMES]),
        "settings": settings,
        "changed": plan.space.changed(settings),
        **{name: figures(trial)[name] for name in ("ex", "tokens_per_question", *_SUMS)},
    }


def _overhead(trial: FrozenTrial) -> float:
    """Seconds of a trial outside its streams: drawing, looking at outcomes, the storage."""
    if trial.datetime_start is None or trial.datetime_complete is None:
        return 0.0
    whole = (trial.datetime_complete - trial.datetime_start).total_seconds()
    inside = figures(trial)["seconds"] - figures(trial)["seconds_watching"]
    return max(0.0, float(whole - inside))
