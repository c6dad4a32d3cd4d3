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
    assert abs(sum(found.values()) - 1) < 1e-9


def test_trials_that_do_not_differ_say_nothing():
    planned = plan()
    assert importance(search(planned, 1).trials, planned.space) == {}
