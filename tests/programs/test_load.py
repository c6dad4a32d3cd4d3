"""Presets: bundled, derived, from files, overridden; and what is wrong with one is said."""

import json

import pytest

from sqlmend.errors import InputError
from sqlmend.programs import (
    bundled_presets,
    dump_yaml,
    load_preset,
    load_program,
    override,
    own_settings,
    settings_of,
)

BUNDLED = sorted(bundled_presets())


def test_the_published_presets_are_there():
    programs = """
    iterative dynamic_rag reflexion merit merit_reliability merit_reflexion merit_resample merit_stop
    merit_hints
    """
    ablations = (
        "no_negative no_type_filter random_same_type no_dense no_lexical other_databases same_database"
    )
    assert {*programs.split(), *(f"merit:{name}" for name in ablations.split())} <= set(BUNDLED)
    merit = load_preset("merit")
    assert merit.budget == 7
    assert [step.name for step in merit.steps] == ["generate", "classify", "recall", "revise", "remember"]
    assert [step.name for step in load_preset("iterative").steps] == ["generate", "classify", "revise"]


@pytest.mark.parametrize("name", BUNDLED)
def test_the_yaml_of_a_preset_loads_as_the_same_program(name, tmp_path):
    file = tmp_path / "shown.yaml"
    file.write_text(dump_yaml(load_preset(name).to_data()), "utf-8")
    assert load_preset(str(file)) == load_preset(name)
    assert load_program(file) == load_program(name)


def differences(one, other, path=""):
    """Paths at which two resolved presets differ, and the second one's values."""
    if isinstance(one, dict) and isinstance(other, dict) and one.keys() == other.keys():
        return {k: v for key in one for k, v in differences(one[key], other[key], f"{path}.{key}").items()}
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        pairs = enumerate(zip(one, other, strict=True))
        return {k: v for n, (a, b) in pairs for k, v in differences(a, b, f"{path}.{n}").items()}
    return {} if one == other else {path.lstrip("."): other}


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("merit:no_negative", {"steps.2.recall.top_k.negative": 0}),
        ("merit:no_type_filter", {"steps.2.recall.type_policy": "off"}),
        ("merit:random_same_type", {"steps.2.recall.ranking": "random"}),
        ("merit:no_dense", {"steps.2.recall.dense": 0.0}),
        ("merit:no_lexical", {"steps.2.recall.lexical": 0.0}),
        ("merit:other_databases", {"steps.2.recall.scope": "other_databases"}),
        ("merit:same_database", {"steps.2.recall.scope": "same_database"}),
        ("merit_reliability", {"steps.2.recall.type_policy": "reliability"}),
        ("merit_resample", {"steps.3.revise.repeat": "resample"}),
        ("merit_hints", {"steps.3.revise.hints": "schema"}),
        ("merit_stop", {"steps.3.revise.repeat": "stop"}),
    ],
)
def test_a_variant_differs_from_merit_only_where_it_says(name, says):
    found = differences(load_preset("merit").to_data(), load_preset(name).to_data())
    about = ("name", "summary", "origin", "base")
    assert {path: value for path, value in found.items() if path not in about} == says


@pytest.mark.parametrize(
    ("name", "own"),
    [
        ("merit", {}),
        ("merit:no_negative", {"recall.top_k.negative": "merit"}),
        ("merit_stop", {"revise.repeat": "merit"}),
        ("merit_notes", {}),
        ("sdam:shared", {"generate_views.reasoned": "sdam"}),
        (
            "sdam:no_anchor",
            dict.fromkeys(("recall_rules.bound", "extract_rules.bound", "filter_rules.bound"), "sdam"),
        ),
        ("sdam:no_tree", {}),
        ("sdam_small", {}),
    ],
)
def test_what_makes_a_preset_another_than_its_base(name, own):
    assert {path: base.name for path, base in own_settings(load_preset(name)).items()} == own


def test_a_file_over_a_variant_has_what_makes_that_one_another_as_well(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("base: merit:no_dense\nset: {budget: 3}\n", "utf-8")
    own = own_settings(load_preset(file))
    assert {path: base.name for path, base in own.items()} == {
        "recall.dense": "merit",
        "budget": "merit:no_dense",
    }


def test_settings_are_named_as_set_takes_them():
    for preset in bundled_presets().values():
        settings = settings_of(preset)
        assert override(preset, [f"{path}={json.dumps(value)}" for path, value in settings.items()]) == preset


def test_set_replaces_a_setting():
    preset = override(load_preset("merit"), ["recall.top_k.positive=5", "budget=2", "recall.type_policy=off"])
    recall = preset.steps[2].settings
    assert (preset.budget, recall.top_k.positive, recall.top_k.negative, recall.type_policy) == (
        2,
        5,
        1,
        "off",
    )
    assert load_preset("merit").budget == 7


@pytest.mark.parametrize(
    ("assignment", "says"),
    [
        ("recall.top_k.positve=5", "recall.top_k.positive"),
        ("recal.dense=1", "recall"),
        ("bugdet=3", "budget"),
        ("recall.top_k=5", "group of settings"),
        ("recall.dense.deeper=5", "unknown setting"),
        ("recall.dense=-1", "greater than or equal to 0"),
        ("recall.dense=much", "valid number"),
        ("recall.scope=everywhere", "same_database"),
        ("budget=-1", "greater than or equal to 0"),
        ("budget=2.5", "valid integer"),
        ("section_order=random", "published"),
        ("recall.dense", "path=value"),
        ("=5", "path=value"),
    ],
)
def test_a_wrong_assignment_says_what_is_wrong(assignment, says):
    with pytest.raises(InputError) as caught:
        override(load_preset("merit"), [assignment])
    assert says in str(caught.value)


def test_a_file_may_derive_from_a_bundled_preset(tmp_path):
    file = tmp_path / "mine.yaml"
    file.write_text("base: merit\nsummary: mine\nset: {recall.type_policy: off, budget: 1}\n", "utf-8")
    preset = load_preset(file)
    assert (preset.name, preset.base, preset.budget) == ("mine", "merit", 1)
    assert preset.steps[2].settings.type_policy == "off"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("steps: []", "at least one step"),
        ("steps: [generate, classify, revise]\nbugdet: 3", "budget"),
        ("steps: [generate, clasify]", "classify"),
        ("steps: [generate, revise]", "revise needs failure_type"),
        ("steps: [generate, generate]", "stands twice"),
        ("steps: [generate, classify]", "no step writes a query to repair; add revise"),
        ("steps: [classify, revise]", "no step writes a query to answer; add generate"),
        ("steps: [generate, classify, revise, recall]", "recall must come before"),
        ("steps: [generate, {classify: {much: 1}}]", "unknown setting"),
        ("steps: [generate, classify, {recall: {top_k: {positve: 3}}}]", "positive"),
        ("steps: [generate, classify, {recall: {top_k: 3}}]", "top_k"),
        ("steps: [generate, classify, {recall: [1]}]", "must be a mapping"),
        ("steps: [[generate]]", "must be a step's name"),
        ("steps: 3", "must be a list"),
        ("steps: [generate]\nset: {budget: 1}", "set goes with base"),
        ("base: merti", "merit"),
        ("budget: 3", "must hold steps, or base and set"),
        ("base: merit\nset: 3", "must be a mapping"),
        ("base: merit\nextra: 3", "unknown field"),
        ("base: merit\nset: {budget: 1, budget: 2}", "stands twice"),
        ("- a list", "must hold a mapping"),
        ("x: !!python/object/apply:os.system [echo]", "no valid YAML"),
        ("a: [", "no valid YAML"),
        ("1: 2", "keys must be text"),
        ("summary: 2020-13-45", "no valid YAML"),
        ("a: !!int x", "no valid YAML"),
        ("a: !!timestamp x", "no valid YAML"),
        ("base: merit\nname: ''", "at least 1 character"),
        ("", "must hold a mapping"),
    ],
)
def test_a_wrong_file_says_what_is_wrong(text, says, tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text(text, "utf-8")
    with pytest.raises(InputError) as caught:
        load_program(file)
    assert says in str(caught.value)
    assert caught.value.exit_code == 2


def test_unknown_names_and_unreadable_files(tmp_path):
    with pytest.raises(InputError, match="did you mean merit"):
        load_program("merrit")
    with pytest.raises(InputError, match="cannot read"):
        load_program(tmp_path / "missing.yaml")
    (tmp_path / "binary.yaml").write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="cannot read"):
        load_program(tmp_path / "binary.yaml")
