"""Paired outcomes against the best trial so far."""

import optuna
import pytest

from sqlmend.optimize import PairedPruner
from sqlmend.optimize._pruner import DEFAULTS, OUTCOMES, sign_test


def study_with(best, running, *, defaults=False, level=0.05):
    study = optuna.create_study(direction="maximize", pruner=PairedPruner(level))
    if best is not None:
        done = optuna.trial.create_trial(value=best.count("1") / len(best), user_attrs={OUTCOMES: best})
        study.add_trial(done)
    trial = study.ask()
    trial.set_user_attr(OUTCOMES, running)
    trial.set_user_attr(DEFAULTS, defaults)
    return trial


def test_the_sign_test_is_the_binomial_tail():
    assert sign_test(0, 0) == 1
    assert sign_test(0, 10) == pytest.approx(1 / 1024)
    assert sign_test(1, 5) == pytest.approx(7 / 64)


def test_what_cannot_catch_up_is_given_up():
    assert study_with("1" * 8 + "00", "1" * 4 + "000").should_prune()
    assert not study_with("1" * 8 + "00", "1" * 5 + "00").should_prune()


def test_what_is_beaten_on_the_questions_that_differ_is_given_up():
    best = "1" * 10 + "0" * 30
    assert study_with(best, "0" * 5 + "1" * 5).should_prune()
    assert not study_with(best, "0" * 4 + "1" * 6).should_prune()


def test_wins_elsewhere_speak_for_a_trial():
    best = "1" * 10 + "0" * 30
    assert not study_with(best, "0" * 5 + "1" * 8).should_prune()


def test_without_a_complete_trial_and_for_the_program_as_it_is_nothing_is_given_up():
    assert not study_with(None, "0" * 20).should_prune()
    assert not study_with("1" * 40, "0" * 20, defaults=True).should_prune()


def test_the_wilcoxon_test_drowns_in_ties_what_the_sign_test_sees():
    stats = pytest.importorskip("scipy.stats")
    differences = [-1] * 10 + [0] * 90
    wilcoxon = stats.wilcoxon(differences, alternative="less", zero_method="zsplit").pvalue
    assert wilcoxon > 0.03 > 0.001 > sign_test(0, 10)


def test_a_level_is_a_level():
    with pytest.raises(ValueError, match="level"):
        PairedPruner(0.6)
