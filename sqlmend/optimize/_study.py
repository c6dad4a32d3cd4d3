"""A study: opened or gone on with, its dead trials tried again."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import optuna
from optuna.trial import FrozenTrial, TrialState

from sqlmend._files import canonical_json, sha256_text
from sqlmend.errors import InputError, unknown_name
from sqlmend.eval._run_folder import differences
from sqlmend.optimize._owner import is_dead
from sqlmend.optimize._pruner import PairedPruner
from sqlmend.optimize._sampler import STARTUP, DistinctSampler
from sqlmend.optimize._storage import open_storage

if TYPE_CHECKING:
    from sqlmend.optimize._space import Space

#: User attribute of a trial: which failed trial it tries again.
RETRIES = "retries"

#: User attributes of a study: what its trials mean, and how they are drawn.
MEANING = "meaning"
SAMPLING = "sampling"

_DIRECTIONS = {"ex": "maximize", "tokens": "minimize"}


@dataclass(frozen=True)
class StudyPlan:
    """What a study is.

    Attributes:
        space: What is searched.
        objectives: ``ex``, or ``ex`` and ``tokens`` in either order; pruning needs ``ex`` alone.
        seed: Base seed of the draws.
        meaning: Whatever a trial's value hangs on, as plain JSON values; another meaning is another study.
        storage: Address of the storage, None: this process.
        prune: Give hopeless trials up early.
    """

    space: Space
    objectives: tuple[str, ...]
    seed: int
    meaning: Mapping[str, Any]
    storage: str | None = None
    prune: bool = True

    def __post_init__(self) -> None:
        if not self.objectives or len(set(self.objectives)) < len(self.objectives):
            raise InputError("bad_objective", f"objectives stand once each; got {self.objectives}")
        for name in self.objectives:
            if name not in _DIRECTIONS:
                raise unknown_name("objective", name, _DIRECTIONS)
        if "ex" not in self.objectives:
            # The fewest tokens are those of a program that recalls nothing and never revises.
            raise InputError("bad_objective", "tokens alone are no objective", hint="ex,tokens")

    @property
    def name(self) -> str:
        """Name of the study: the program and a hash of the space and of what its trials mean."""
        content = {"space": self.space.to_data(), "objectives": list(self.objectives), **self.meaning}
        return f"{self.space.preset.name}-{sha256_text(canonical_json(content))[:12]}"

    @property
    def prunes(self) -> bool:
        """Whether trials may be given up: only a single figure of paired outcomes tells."""
        return self.prune and self.objectives == ("ex",)

    @property
    def sampling(self) -> dict[str, Any]:
        """What a resumed study must have the same, or its trials would be drawn from two recipes."""
        return {"sampler": "distinct-tpe/1", "startup": STARTUP, "seed": self.seed, "pruner": self.prunes}


def open_study(plan: StudyPlan, *, resume: bool) -> optuna.Study:
    """The study of that plan, made where it is not there.

    Args:
        plan: What it is.
        resume: Go on with its trials, or take part while another process runs it; without it a study that
            has trials is refused.

    Raises:
        InputError: It has trials, or was sampled otherwise (the differences are named), or the storage
            cannot be used.
    """
    storage = open_storage(plan.storage, on_dead=try_again)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        study = optuna.create_study(
            storage=storage,
            study_name=plan.name,
            directions=[_DIRECTIONS[name] for name in plan.objectives],
            sampler=DistinctSampler(plan.space, plan.seed),
            pruner=PairedPruner() if plan.prunes else optuna.pruners.NopPruner(),
            load_if_exists=True,
        )
    stored = study.user_attrs.get(SAMPLING)
    if stored is not None and (found := list(differences(stored, plan.sampling, "sampling"))):
        raise InputError(
            "other_study",
            f"the study {plan.name} was begun otherwise: {'; '.join(found)}",
            hint="resume with the settings it was begun with, or choose another --storage",
        )
    if study.get_trials(deepcopy=False) and not resume:
        raise InputError(
            "study_exists",
            f"the storage holds trials of the study {plan.name}",
            hint="go on with --resume, or choose another --storage",
        )
    if stored is None:
        study.set_user_attr(MEANING, dict(plan.meaning))
        study.set_user_attr(SAMPLING, plan.sampling)
    return study


def bury(study: optuna.Study) -> None:
    """Mark trials of dead processes failed and enqueue them again.

    A trial of this machine is dead when its process is; one of another machine when it gave no sign of life
    for a while.
    """
    for trial in study.get_trials(deepcopy=False, states=(TrialState.RUNNING,)):
        if is_dead(trial):
            # Who fails it is the one who tries it again; everybody else gets an error here.
            with contextlib.suppress(ValueError, RuntimeError):
                study.tell(trial.number, state=TrialState.FAIL)
                try_again(study, trial)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        optuna.storages.fail_stale_trials(study)


def try_again(study: optuna.Study, trial: FrozenTrial) -> None:
    """Enqueue a failed trial's parameters under a new number; its finished episodes are kept."""
    if trial.params and not is_tried_again(study, trial):
        study.enqueue_trial(trial.params, user_attrs={RETRIES: first_number(trial)})


def is_tried_again(study: optuna.Study, trial: FrozenTrial) -> bool:
    """Whether a failed trial was enqueued again, by whomever."""
    name = first_number(trial)
    later = (t for t in study.get_trials(deepcopy=False) if t.number > trial.number)
    return any(other.user_attrs.get(RETRIES) == name for other in later)


def first_number(trial: FrozenTrial | optuna.Trial) -> int:
    """The number under which a trial was first tried: the name of its folder."""
    return int(trial.user_attrs.get(RETRIES, trial.number))
