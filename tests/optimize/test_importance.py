"""Which settings matter."""

from sqlmend.optimize._importance import importance
from tests.optimize.studies import FakeEvaluation, plan, search


def test_what_decides_matters_most_and_what_changes_nothing_is_left_out():
    space = {
        "only": True,
        "recall.top_k.positive": [2, 3],
        "recall.type_policy": ["hard", "off"],
        "recall.type_bonus": True,  # without effect: no policy here takes it
    }
    planned = plan(space=space, prune=False)
    trials = search(planned, 4, evaluation=FakeEvaluation()).trials
    found = importance(trials, planned.space)
    assert list(found) == ["recall.type_policy", "recall.top_k.positive"]
    assert 0.5 < sum(found.values()) <= 1


def test_what_settings_do_only_together_is_no_share_of_one():
    space = {"only": True, "recall.top_k.positive": [2, 3], "recall.type_policy": ["hard", "off"]}
    planned = plan(space=space, prune=False)
    trials = search(planned, 4, evaluation=FakeEvaluation()).trials
    for trial in trials:
        settings = trial.user_attrs["settings"]
        alike = (settings["recall.top_k.positive"] == 2) == (settings["recall.type_policy"] == "off")
        trial.user_attrs["figures"]["ex"] = float(alike)
    # Many of each: the forest draws its samples from them, and few would be uneven.
    assert sum(importance(trials * 10, planned.space).values()) < 0.3


def test_trials_that_do_not_differ_say_nothing():
    planned = plan()
    assert importance(search(planned, 1).trials, planned.space) == {}
