"""A saved program holds all of its settings, those of tuning included."""

import dspy
import pytest

from sqlmend.errors import InputError
from sqlmend.optimize import build_space
from sqlmend.optimize._retune import retuned
from sqlmend.programs import load_program

TUNED = {"revise.repeat": "stop", "budget": 2, "recall.top_k.positive": 6}


@pytest.fixture
def tuned():
    student = load_program("merit")
    student.steps[0].generate.predict.demos = [dspy.Example(question="q", sql="SELECT 1")]
    asked = {"only": True, "budget": True, "revise.repeat": True, "recall.top_k.positive": True}
    return retuned(student, build_space(student.preset, asked).with_settings(TUNED))


def test_a_saved_program_loads_into_the_one_it_came_from(tuned, tmp_path):
    tuned.save(tmp_path / "tuned.json")
    loaded = load_program("merit")
    names = [name for name, _ in loaded.named_parameters()]
    loaded.load(tmp_path / "tuned.json")
    assert loaded == tuned
    assert (loaded.preset.budget, loaded.steps[3].settings.repeat) == (2, "stop")
    assert loaded.steps[2].recall.tunable.settings.top_k_positive == 6
    assert [dict(demo) for demo in loaded.steps[0].generate.predict.demos] == [
        dict(demo) for demo in tuned.steps[0].generate.predict.demos
    ]
    assert [name for name, _ in loaded.named_parameters()] == names
    assert loaded.deepcopy() == tuned.deepcopy() == tuned


def test_another_order_of_sections_is_loaded_as_well():
    other = load_program("merit", ["section_order=published"])
    loaded = load_program("merit")
    loaded.load_state(other.dump_state())
    assert loaded == other


def test_a_state_of_other_steps_is_refused_and_nothing_changes(tuned):
    program = load_program("iterative")
    with pytest.raises(InputError, match="merit with the steps"):
        program.load_state(tuned.dump_state())
    assert program == load_program("iterative")


@pytest.mark.parametrize("name", ["merit_notes", "sdam_small:baseline"])
def test_it_says_into_what_the_state_loads(name):
    state = load_program(name).dump_state()
    with pytest.raises(InputError, match=f"load it into {name}"):
        load_program("merit").load_state(state)
    load_program(name).load_state(state)


def test_a_state_with_a_bad_setting_changes_nothing(tuned):
    program, state = load_program("merit"), tuned.dump_state()
    state["steps[2].recall.tunable"] = {**state["steps[2].recall.tunable"], "dense": 2.0}
    with pytest.raises(InputError):
        program.load_state(state)
    assert program == load_program("merit")


def test_a_state_of_an_earlier_version_has_parameters_alone(tuned):
    state = tuned.dump_state()
    del state["preset"]
    program = load_program("merit")
    program.load_state(state)
    assert program.preset == load_program("merit").preset
    assert program.steps[2].recall.tunable.settings.top_k_positive == 6


def test_another_order_of_sections_reaches_every_step():
    student = load_program("merit_reflexion")
    student.steps[5].revise.predict.demos = [dspy.Example(question="q", sql="SELECT 1")]
    space = build_space(student.preset, {"only": True, "section_order": ["prefix", "published"]})
    tuned = retuned(student, space.with_settings({"section_order": "published"}))
    assert [step.revise.order for step in tuned.steps if hasattr(step, "revise")] == ["published"]
    assert [step.reflect.order for step in tuned.steps if hasattr(step, "reflect")] == ["published"]
    assert student.steps[5].revise.order == "prefix"
    assert [dict(demo) for demo in tuned.steps[5].revise.predict.demos] == [
        {"question": "q", "sql": "SELECT 1"}
    ]
