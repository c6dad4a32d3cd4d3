"""What a trial tries: the program as it is, then draws, then what earlier trials recommend."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from optuna.samplers import BaseSampler, TPESampler
from optuna.trial import TrialState

from sqlmend._files import canonical_json, sha256_text
from sqlmend.optimize._owner import OWNER, owner

if TYPE_CHECKING:
    from optuna import Study
    from optuna.distributions import BaseDistribution
    from optuna.trial import FrozenTrial

    from sqlmend.optimize._space import Space

#: User attribute of a trial that was one too many and stood back: it tried nothing and did not fail.
SURPLUS = "surplus"

#: User attribute of a trial that was given another one's settings because no others were found.
REPEATS = "repeats"

#: Trials that are drawn evenly before the tree-structured Parzen estimator has anything to go by.
STARTUP = 10

#: So many draws may be another trial's settings again before a new one is drawn evenly.
_REDRAWS = 20


class DistinctSampler(BaseSampler):
    """Optuna's TPE over the whole space at once, never the same settings twice while there are others.

    The first trial of a study is the program as it is. A trial's draw hangs on the base seed, the trials
    finished and the trial's rank alone, so that a study that was killed and resumed goes on as an undisturbed
    one, and two processes never draw from one seed.

    Args:
        space: What is searched.
        seed: The base seed.
    """

    def __init__(self, space: Space, seed: int) -> None:
        self._space = space
        self._seed = seed

    def infer_relative_search_space(self, study: Study, trial: FrozenTrial) -> dict[str, BaseDistribution]:
        """The whole space, from the first trial on."""
        return self._space.distributions

    def before_trial(self, study: Study, trial: FrozenTrial) -> None:
        """Say at once whose trial it is, so that others know when its process died."""
        study._storage.set_trial_user_attr(trial._trial_id, OWNER, owner())

    def sample_relative(
        self, study: Study, trial: FrozenTrial, search_space: Mapping[str, BaseDistribution]
    ) -> dict[str, Any]:
        """Parameters of the next trial."""
        others = [t for t in study.get_trials(deepcopy=False) if t.number != trial.number]
        before = [t for t in others if t.number < trial.number]
        place = sum(t.state is not TrialState.FAIL for t in before)
        if place == 0 or self._lost_first(before):
            return self._space.own
        # Failed ones included, which are tried again by themselves; not those that stood back.
        taken = {
            self._key(t.params)
            for t in others
            if self._space.own.keys() <= t.params.keys() and SURPLUS not in t.user_attrs
        }
        seed = int(sha256_text(f"{self._seed}:{place}")[:8], 16)
        model = TPESampler(multivariate=True, n_startup_trials=STARTUP, seed=seed, constant_liar=True)
        for number in range(10 * _REDRAWS):
            # An empty answer of TPE: too few trials to learn from.
            drawn = model.sample_relative(study, trial, dict(search_space)) if number < _REDRAWS else {}
            drawn = drawn or self._space.draw(f"{seed}:{number}")
            if self._key(drawn) not in taken:
                return drawn
        left = self._space.each() if self._space.programs is not None else ()
        for found in left:
            if self._key(found) not in taken:
                return found
        study._storage.set_trial_user_attr(trial._trial_id, REPEATS, True)
        return drawn

    def sample_independent(
        self, study: Study, trial: FrozenTrial, param_name: str, param_distribution: BaseDistribution
    ) -> Any:
        """The program's own value: every parameter is sampled with the others."""
        return self._space.own[param_name]

    def _lost_first(self, before: Sequence[FrozenTrial]) -> bool:
        """Whether the first trial died before it had its parameters, so that nobody tries them again."""
        alive = [trial for trial in before if trial.state is not TrialState.FAIL]
        own = self._key(self._space.own)
        return len(alive) < len(before) and all(
            self._space.own.keys() <= trial.params.keys() and self._key(trial.params) != own
            for trial in alive
        )

    def _key(self, parameters: Mapping[str, Any]) -> str:
        return canonical_json(self._space.settings(parameters))


def rank(study: Study, number: int) -> int:
    """How many trials that have not failed came before trial ``number``.

    A failed trial is enqueued again and counts by its second number.
    """
    trials = study.get_trials(deepcopy=False)
    return sum(trial.number < number and trial.state is not TrialState.FAIL for trial in trials)
