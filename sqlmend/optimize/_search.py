"""The trials of a study, one after the other in this process, as many processes as there are."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import optuna
from optuna.trial import TrialState

from sqlmend.optimize._pruner import DEFAULTS, OUTCOMES
from sqlmend.optimize._retune import retuned
from sqlmend.optimize._sampler import REPEATS, SURPLUS, rank
from sqlmend.optimize._storage import GRACE_S
from sqlmend.optimize._study import bury, first_number, is_tried_again, try_again

if TYPE_CHECKING:
    from optuna.trial import FrozenTrial

    from sqlmend.optimize._evaluation import Evaluation
    from sqlmend.optimize._study import StudyPlan
    from sqlmend.programs import RepairProgram


@dataclass(frozen=True)
class TrialEvent:
    """How far a trial of this process is, for observers.

    Attributes:
        number: The trial.
        asked: Questions asked so far, stream after stream.
        total: Questions of a whole trial.
        ex: Share of them that came out right.
        state: ``running``, ``complete`` or ``pruned``.
        done: Finished trials of the study, those of other processes included.
        best: Highest EX of a complete trial, None before the first.
    """

    number: int
    asked: int
    total: int
    ex: float
    state: str
    done: int
    best: float | None


#: Told of every question and of every finished trial; it changes nothing.
TrialObserver = Callable[[TrialEvent], None]

#: User attributes of a trial: its settings by path, and what it cost and brought.
SETTINGS = "settings"
FIGURES = "figures"
_FIGURES = ("ex", "tokens_per_question", "calls", "calls_paid", "seconds")

_LOOKS = 10
_LEAST_LOOK = 5
_POLL_S = 1.0
_GLANCE_S = 0.02


class _Surplus(Exception):
    """Two processes began the last trial, or the same settings, at once; the later one stands back.

    It did not fail: its settings may be drawn again, and are not tried again by themselves.
    """


class Search:
    """Runs trials until the study has as many as asked for, or has tried everything there is.

    Args:
        study: The study.
        plan: What it is.
        program: The program whose settings are searched; it stays as it is.
        evaluation: What a trial is worth.
        trials: How many trials the study shall have, failed ones not counted.
        observers: Told how far it is.
    """

    def __init__(
        self,
        study: optuna.Study,
        plan: StudyPlan,
        program: RepairProgram,
        evaluation: Evaluation,
        trials: int,
        observers: Sequence[TrialObserver] = (),
    ) -> None:
        self._study = study
        self._plan = plan
        self._program = program
        self._evaluation = evaluation
        # No more than there are programs: a further trial could only repeat one.
        self._enough = min(trials, plan.space.programs or trials)
        self._observers = observers
        self._best: float | None = None
        self._done = 0

    def run(self, *, wait: bool = True) -> None:
        """Run trials until there are enough.

        Args:
            wait: Stay until the trials of other processes have ended as well, and try those again whose
                process dies.

        Raises:
            SqlmendError: What a stream raises; the trial failed and is enqueued again.
        """
        while True:
            bury(self._study)
            trials = self._study.get_trials(deepcopy=False)
            states = [trial.state for trial in trials if trial.state is not TrialState.FAIL]
            if TrialState.WAITING in states or len(states) < self._enough:
                self._one()
            elif wait and TrialState.RUNNING in states:
                time.sleep(_POLL_S)
            else:
                return

    def _one(self) -> None:
        begun: list[optuna.Trial] = []

        def objective(trial: optuna.Trial) -> Sequence[float]:
            begun.append(trial)
            return self._objective(trial)

        with warnings.catch_warnings():
            warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
            try:
                self._study.optimize(objective, n_trials=1, catch=(_Surplus,))
            except Exception:
                if not self._taken_over(begun):
                    self._again(begun)
                    raise
            except BaseException:
                self._again(begun)
                raise

    def _again(self, begun: Sequence[optuna.Trial]) -> None:
        for trial in self._frozen(begun):
            if trial.state is TrialState.FAIL:
                try_again(self._study, trial)

    def _taken_over(self, begun: Sequence[optuna.Trial]) -> bool:
        """Whether another process took this one for dead (it slept, say) and tries its trial again."""
        trials = self._frozen(begun)
        return bool(trials) and all(is_tried_again(self._study, trial) for trial in trials)

    def _frozen(self, begun: Sequence[optuna.Trial]) -> list[FrozenTrial]:
        numbers = {trial.number for trial in begun}
        return [trial for trial in self._study.get_trials(deepcopy=False) if trial.number in numbers]

    def _objective(self, trial: optuna.Trial) -> Sequence[float]:
        space = self._plan.space
        settings = space.settings({d.path: d.suggest(trial) for d in space.dimensions})
        if rank(self._study, trial.number) >= self._enough or self._is_doubled(trial, settings):
            trial.set_user_attr(SURPLUS, True)
            raise _Surplus
        trial.set_user_attr(SETTINGS, settings)
        trial.set_user_attr(DEFAULTS, not space.changed(settings))
        watch = _Watch(trial, self._evaluation.total, self._tell, prunes=self._plan.prunes)
        program = retuned(self._program, space.with_settings(settings))
        found = self._evaluation(program, f"trials/{first_number(trial)}", watch)
        trial.set_user_attr(OUTCOMES, "".join(map(str, found.outcomes)))
        figures = {name: getattr(found, name) for name in _FIGURES}
        trial.set_user_attr(FIGURES, {**figures, "seconds_watching": watch.seconds})
        pruned = len(found.outcomes) < self._evaluation.total
        self._tell(trial.number, found.outcomes, "pruned" if pruned else "complete")
        if pruned:
            raise optuna.TrialPruned
        values = {"ex": found.ex, "tokens": found.tokens_per_question}
        return [values[name] for name in self._plan.objectives]

    def _is_doubled(self, trial: optuna.Trial, settings: Mapping[str, Any]) -> bool:
        """Whether an earlier trial tries the same settings: two were drawn before either was known.

        One that has begun and not yet stored all of what it drew is waited for; its process may die.
        """
        space, waited = self._plan.space, time.monotonic()
        while True:
            trials = self._study.get_trials(deepcopy=False)
            if any(REPEATS in t.user_attrs for t in trials if t.number == trial.number):
                return False  # there are no others
            before = [t for t in trials if t.number < trial.number and t.state is not TrialState.FAIL]
            drawn = [t.params for t in before if space.own.keys() <= t.params.keys()]
            if any(space.settings(parameters) == settings for parameters in drawn):
                return True
            unknown = (t for t in before if t.state is TrialState.RUNNING and t.params not in drawn)
            if not any(unknown) or time.monotonic() - waited > GRACE_S:
                return False
            time.sleep(_GLANCE_S)
            bury(self._study)

    def _tell(self, number: int, outcomes: Sequence[int], state: str = "running") -> None:
        if not self._observers:
            return
        if state != "running" or len(outcomes) == 1:
            # Between a trial's beginning and its end the storage is not asked: it may be far away.
            trials = [t for t in self._study.get_trials(deepcopy=False) if FIGURES in t.user_attrs]
            complete = [t.user_attrs[FIGURES]["ex"] for t in trials if t.state is TrialState.COMPLETE]
            self._best = max(complete, default=None)
            self._done = sum(trial.state is not TrialState.FAIL for trial in trials)
        ex = sum(outcomes) / len(outcomes)
        best = ex if state == "complete" and (self._best is None or ex > self._best) else self._best
        event = TrialEvent(
            number=number,
            asked=len(outcomes),
            total=self._evaluation.total,
            ex=ex,
            state=state,
            done=self._done,
            best=best,
        )
        for observer in self._observers:
            observer(event)


class _Watch:
    """Looks at a trial's outcomes at the same prefixes in every trial."""

    def __init__(
        self,
        trial: optuna.Trial,
        total: int,
        tell: Callable[[int, Sequence[int]], None],
        *,
        prunes: bool,
    ) -> None:
        self._trial = trial
        self._total = total
        self._tell = tell
        self._prunes = prunes
        self._every = max(_LEAST_LOOK, total // _LOOKS)
        self.seconds = 0.0

    def __call__(self, outcomes: Sequence[int]) -> bool:
        done = len(outcomes)
        self._tell(self._trial.number, outcomes)
        if not self._prunes or done % self._every or done >= self._total:
            return True
        start = time.perf_counter()
        self._trial.set_user_attr(OUTCOMES, "".join(map(str, outcomes)))
        self._trial.report(sum(outcomes) / done, step=done)
        go_on = not self._trial.should_prune()
        self.seconds += time.perf_counter() - start
        return go_on
