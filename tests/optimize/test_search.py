"""The trials of a study: as many as asked for, none twice, and the same after a kill."""

import os
from concurrent.futures import ThreadPoolExecutor

import pytest
from optuna.trial import TrialState

from sqlmend.errors import InputError
from sqlmend.optimize import build_space
from sqlmend.optimize._owner import OWNER, owner
from sqlmend.optimize._result import best_of
from sqlmend.optimize._sampler import rank
from sqlmend.optimize._search import Search, _Surplus
from sqlmend.optimize._study import RETRIES, StudyPlan, open_study
from sqlmend.programs import override
from tests.optimize.studies import FakeEvaluation, plan, program, search, settings


@pytest.fixture
def storage(tmp_path):
    return f"sqlite:///{tmp_path / 'study.db'}"


def test_the_first_trial_is_the_program_as_it_is_and_no_settings_come_twice():
    study = search(plan(), 30)
    found = settings(study)
    assert len(found) == 30
    first = {
        "recall.dense": 0.75,
        "recall.lexical": 0.25,
        "recall.top_k.positive": 3,
        "recall.type_policy": "hard",
    }
    assert found[0] == first
    assert study.trials[0].user_attrs["defaults"]
    assert study.trials[0].state is TrialState.COMPLETE
    assert len({str(one) for one in found}) == 30


def test_a_study_finds_what_is_better_and_gives_up_what_is_worse():
    study = search(plan(), 30)
    best = best_of(study).user_attrs
    assert best["figures"]["ex"] > study.trials[0].user_attrs["figures"]["ex"]
    assert best["settings"]["recall.type_policy"] == "off"
    given_up = [trial for trial in study.trials if trial.state is TrialState.PRUNED]
    assert given_up
    assert all(len(trial.user_attrs["outcomes"]) < 40 for trial in given_up)


def test_more_trials_than_settings_end():
    space = {"only": True, "recall.type_policy": ["hard", "off"]}
    study = search(plan(space=space), 4)
    assert {found["recall.type_policy"] for found in settings(study)} == {"hard", "off"}
    assert len(study.trials) == 2


def test_a_small_space_is_tried_to_its_end():
    space = {"only": True, "recall.top_k.positive": [0, 1, 2, 3, 4, 5], "recall.min_same_type": [1, 2, 3]}
    study = search(plan(space={**space, "recall.type_policy": ["hard", "off"]}, prune=False), 60)
    # Without a type filter the least number of one type is nothing.
    assert len({str(found) for found in settings(study)}) == len(study.trials) == 18 + 6


def test_a_trial_too_many_did_not_fail_and_may_be_drawn_later(storage):
    planned = plan(storage)
    study = search(planned, 2)
    with pytest.MonkeyPatch.context() as patch:
        # As if another process had begun the last trial at the same moment.
        patch.setattr("sqlmend.optimize._search.rank", lambda study, number: 99)
        patch.setattr("sqlmend.optimize._search.bury", _once())
        with pytest.raises(StopIteration):
            search(planned, 3, resume=True)
    surplus = study.trials[-1]
    assert surplus.user_attrs["surplus"]
    study = search(planned, 3, resume=True)
    assert study.trials[-1].params == surplus.params
    assert not any("retries" in trial.user_attrs for trial in study.trials)


def _once():
    calls = iter([None])
    return lambda study: next(calls)


def test_a_study_that_stopped_goes_on_as_one_that_did_not(storage, tmp_path):
    whole = search(plan(), 12)
    with pytest.raises(OSError, match="disk"):
        search(plan(storage), 12, evaluation=FakeEvaluation(fail_at=(6, 3)))
    again = FakeEvaluation()
    study = search(plan(storage), 12, resume=True, evaluation=again)
    assert settings(study) == settings(whole)
    assert again.places[0] == "trials/5"  # the folder of the trial that failed
    assert [t.user_attrs[RETRIES] for t in study.trials if RETRIES in t.user_attrs] == [5]


def test_a_trial_of_a_dead_process_is_failed_and_tried_again_once(storage):
    planned = plan(storage)
    search(planned, 3)
    study = open_study(planned, resume=True)
    trial = study.ask(planned.space.distributions)
    dead = f"{owner().rpartition(':')[0]}:{_unused_process()}"
    trial.set_user_attr(OWNER, dead)
    study = search(planned, 6, resume=True)
    states = [t.state.name for t in study.trials]
    assert states.count("FAIL") == 1
    assert states.count("RUNNING") == 0
    assert len(settings(study)) == 6
    tried = [t for t in study.trials if t.user_attrs.get(RETRIES) == 3]
    assert len(tried) == 1
    assert tried[0].params == study.trials[3].params


def test_a_trial_of_a_living_process_is_left_alone(storage):
    planned = plan(storage)
    search(planned, 2)
    study = open_study(planned, resume=True)
    trial = study.ask(planned.space.distributions)
    trial.set_user_attr(OWNER, owner())
    study = search(planned, 5, resume=True, wait=False)
    assert len(settings(study)) == 4
    assert [t.state.name for t in study.trials].count("RUNNING") == 1


def test_the_first_trial_is_made_up_for_where_it_died_early(storage):
    planned = plan(storage)
    study = open_study(planned, resume=False)
    study.tell(study.ask(), state=TrialState.FAIL)  # it had no parameters yet
    study = search(planned, 4, resume=True)
    assert study.trials[1].user_attrs["defaults"]
    assert rank(study, 2) == 1


def test_more_trials_may_be_asked_for_later(storage):
    search(plan(storage), 4)
    study = search(plan(storage), 7, resume=True)
    assert settings(study) == settings(search(plan(), 7))


def test_without_resume_a_study_with_trials_is_refused(storage):
    search(plan(storage), 2)
    with pytest.raises(InputError, match="--resume"):
        open_study(plan(storage), resume=False)


def test_another_seed_is_refused_and_another_space_is_another_study(storage):
    search(plan(storage), 2)
    with pytest.raises(InputError, match="seed was 0, is now 1"):
        open_study(plan(storage, seed=1), resume=True)
    other = plan(storage, space={"only": True, "recall.scope": True})
    assert other.name != plan(storage).name
    assert len(search(other, 2).trials) == 2
    assert plan(data="a").name != plan(data="b").name


def test_two_objectives_give_a_front_and_give_nothing_up():
    study = search(plan(objectives=("ex", "tokens")), 8)
    assert {trial.state for trial in study.trials} == {TrialState.COMPLETE}
    assert study.best_trials


def test_observers_are_told_of_questions_and_trials():
    seen = []
    search(plan(), 3, observers=[seen.append])
    assert next(event.state for event in seen if event.state != "running") == "complete"
    assert seen[-1].done == 3
    assert max(event.asked for event in seen) == 40


@pytest.mark.parametrize("objectives", [(), ("ex", "ex"), ("exx",), ("tokens",)])
def test_bad_objectives_are_refused(objectives):
    with pytest.raises(InputError):
        plan(objectives=objectives)


def _unused_process():
    number = 4_000_000
    while True:
        try:
            os.kill(number, 0)
        except ProcessLookupError:
            return number
        except PermissionError:
            number += 1


FOUR = {"only": True, "recall.top_k.positive": [2, 3], "recall.type_policy": ["hard", "off"]}


def drawn_at_once():
    """A study in which two trials drew the same settings before either had stored them."""
    for seed in range(50):
        planned = plan(seed=seed, space=FOUR)
        study = search(planned, 1)
        one, other = study.ask(), study.ask()
        if one.relative_params == other.relative_params:
            return planned, study, one, other
    raise AssertionError("no seed draws the same twice")


def test_of_two_trials_with_the_same_settings_the_later_stands_back():
    planned, study, one, other = drawn_at_once()
    trials = Search(study, planned, program(), FakeEvaluation(), 4)
    for dimension in planned.space.dimensions:
        dimension.suggest(one)
    with pytest.raises(_Surplus):
        trials._objective(other)
    study.tell(other, state=TrialState.FAIL)
    study.tell(one, trials._objective(one))
    trials.run()
    assert len(settings(study)) == 4
    assert len({str(found) for found in settings(study)}) == 4


def test_a_trial_waits_for_what_an_earlier_one_drew():
    planned, study, one, other = drawn_at_once()
    trials = Search(study, planned, program(), FakeEvaluation(), 4)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(trials._objective, other)
        while not waiting.done() and len(study.trials[other.number].params) < len(planned.space.dimensions):
            pass
        assert not waiting.done()
        for dimension in planned.space.dimensions:
            dimension.suggest(one)
        with pytest.raises(_Surplus):
            waiting.result()


def test_a_trial_does_not_wait_for_a_dead_process():
    planned = plan(space=FOUR)
    study = search(planned, 1)
    one, other = study.ask(), study.ask()
    one.set_user_attr(OWNER, f"{owner().rpartition(':')[0]}:{_unused_process()}")
    assert Search(study, planned, program(), FakeEvaluation(), 4)._objective(other)
    assert study.trials[one.number].state is TrialState.FAIL


def test_where_nothing_else_is_left_settings_are_tried_again():
    """A space that is too large to count may hold few programs: a study must end there as well."""
    preset = override(program().preset, ["recall.top_k.positive=0", "recall.top_k.negative=0"])
    changes = {"recall.top_k.positive": False, "recall.top_k.negative": False}
    planned = StudyPlan(build_space(preset, {**changes, "revise.repeat": ["keep", "stop"]}), ("ex",), 0, {})
    assert planned.space.programs is None
    study = open_study(planned, resume=False)
    Search(study, planned, program(), FakeEvaluation(), 4).run()
    assert len(settings(study)) == 4
    assert len({str(found) for found in settings(study)}) == 2
