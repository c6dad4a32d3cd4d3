"""A tuned program as a preset file."""

import pytest

from sqlmend.optimize._preset_file import preset_data
from sqlmend.programs import dump_yaml, load_preset, override, settings_of


@pytest.mark.parametrize("name", ["merit", "merit:no_negative", "merit_resample"])
def test_a_tuned_preset_is_its_base_and_what_differs(tmp_path, name):
    tuned = override(load_preset(name), ["recall.dense=0.5", "recall.lexical=0.5", "budget=2"])
    data = preset_data(tuned, name="mine", summary="tuned")
    assert data["base"] == name
    assert data["set"] == {"budget": 2, "recall.dense": 0.5, "recall.lexical": 0.5}
    file = tmp_path / "best.yaml"
    file.write_text(dump_yaml(data))
    assert settings_of(load_preset(file)) == settings_of(tuned)


def test_a_program_of_ones_own_comes_whole(tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("steps: [generate, classify, recall, revise]\n")
    data = preset_data(override(load_preset(own), ["recall.dense=0.5"]), name="mine", summary="tuned")
    assert "base" in data and data["base"] == ""
    file = tmp_path / "best.yaml"
    file.write_text(dump_yaml(data))
    assert load_preset(file).steps[2].settings.dense == 0.5


def test_a_file_over_a_bundled_program_keeps_that_base(tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("base: merit\nset: {budget: 9}\n")
    data = preset_data(override(load_preset(own), ["recall.dense=0.5"]), name="mine", summary="tuned")
    assert (data["base"], data["set"]) == ("merit", {"budget": 9, "recall.dense": 0.5})
