"""Which settings matter."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING

import optuna

from sqlmend.optimize._search import FIGURES, SETTINGS

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

    from sqlmend.optimize._space import Space


def importance(trials: Sequence[FrozenTrial], space: Space) -> dict[str, float]:
    """Share of each setting in the variance of EX over complete trials, by functional ANOVA.

    Hutter, Hoos & Leyton-Brown, An Efficient Approach for Assessing Hyperparameter Importance (ICML 2014),
    as Optuna has it. It goes by the settings that the trials had in effect: one that changes nothing beside
    the others does not vary. Given-up trials are not in it, so that it speaks of the better part of the
    space. A share is a main effect, what the setting does by itself; what is left of 1 is due to settings
    together.

    Args:
        trials: Complete trials.
        space: Their space.

    Returns:
        Setting to its share, the greatest first; empty where the trials do not differ in EX.
    """
    from optuna.importance import FanovaImportanceEvaluator, get_param_importances

    varying = [
        dimension
        for dimension in space.dimensions
        if len({dimension.label(trial.user_attrs[SETTINGS][dimension.path]) for trial in trials}) > 1
    ]
    if not varying or len({trial.user_attrs[FIGURES]["ex"] for trial in trials}) < 2:
        return {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        effective = optuna.study.Study("importance", _storage())
        for trial in trials:
            settings = trial.user_attrs[SETTINGS]
            effective.add_trial(
                optuna.trial.create_trial(
                    params={d.path: d.label(settings[d.path]) for d in varying},
                    distributions={d.path: d.distribution for d in varying},
                    value=trial.user_attrs[FIGURES]["ex"],
                )
            )
        evaluator = FanovaImportanceEvaluator(seed=0)
        found = get_param_importances(effective, evaluator=evaluator, normalize=False)
    return {name: float(share) for name, share in found.items()}


def _storage() -> optuna.storages.BaseStorage:
    """A study in memory that says nothing of being made."""
    storage = optuna.storages.InMemoryStorage()
    storage.create_new_study([optuna.study.StudyDirection.MAXIMIZE], "importance")
    return storage
