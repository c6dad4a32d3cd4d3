"""When a trial is given up: paired outcomes of one stream prefix against the best trial so far."""

from __future__ import annotations

from math import comb
from typing import TYPE_CHECKING

from optuna.pruners import BasePruner
from optuna.trial import TrialState

if TYPE_CHECKING:
    from optuna import Study
    from optuna.trial import FrozenTrial

#: User attribute of a trial: one character a question, in the order of the streams, 1 where it is right.
OUTCOMES = "outcomes"

#: User attribute of the trial that is the program as it is.
DEFAULTS = "defaults"


class PairedPruner(BasePruner):
    """Gives a trial up that the best one so far beats on the same prefix of the same streams.

    Every trial is asked the same questions in the same order, so that outcomes pair exactly; and most pairs
    are ties. What decides is the questions on which the two differ:

    - The trial cannot catch up: it stays below the best even with every question to come right.
    - A one-sided exact sign test over the differing questions (McNemar's) says at ``level`` that it is worse.

    Optuna's ``WilcoxonPruner`` is made for paired steps, too, but ranks sizes of differences, of which
    right-or-wrong outcomes have one: its ``zsplit`` shares the ranks of all ties between both sides, which
    drowns the few pairs that differ. With 10 losses and no win on 100 questions it gives 0.03 and
    the sign test 0.001. Medians and successive halving compare means of unpaired steps.

    The outcomes of one stream hang together by its memory, and the test is asked again at every look: it is a
    rule for stopping, no inference, and nothing is reported from it.

    Args:
        level: Level of the sign test at each look.
    """

    def __init__(self, level: float = 0.05) -> None:
        if not 0 <= level <= 0.5:
            raise ValueError(f"level must lie in 0 to 0.5, got {level}")
        self._level = level

    def prune(self, study: Study, trial: FrozenTrial) -> bool:
        """Whether ``trial`` is given up; never the program as it is."""
        done = [t for t in study.get_trials(deepcopy=False) if t.state is TrialState.COMPLETE]
        done = [t for t in done if OUTCOMES in t.user_attrs]
        own: str = trial.user_attrs.get(OUTCOMES, "")
        if not done or not own or trial.user_attrs.get(DEFAULTS):
            return False
        best: str = max(done, key=lambda t: (t.user_attrs[OUTCOMES].count("1"), -t.number)).user_attrs[
            OUTCOMES
        ]
        if own.count("1") + len(best) - len(own) < best.count("1"):
            return True
        pairs = list(zip(own, best, strict=False))
        return sign_test(pairs.count(("1", "0")), pairs.count(("0", "1"))) < self._level


def sign_test(wins: int, losses: int) -> float:
    """The chance of at least so many losses where either way is alike: a binomial tail, 1 without pairs."""
    pairs = wins + losses
    return sum(comb(pairs, k) for k in range(losses, pairs + 1)) / float(2**pairs)
