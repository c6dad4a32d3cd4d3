"""The space: declared by the settings, narrowed and widened by a user."""

from datetime import date
from typing import get_args, get_type_hints

import pytest

from sqlmend.errors import InputError
from sqlmend.optimize import build_space, read_space
from sqlmend.programs import bundled_presets, load_preset, override
from sqlmend.retrievers._texts import ENTRY_TEXTS


def merit(*sets):
    return override(load_preset("merit"), sets)


def test_every_setting_of_a_recall_says_where_to_look():
    paths = set(build_space(merit()).own)
    assert paths == {
        "recall.dense",
        "recall.top_k.positive",
        "recall.top_k.negative",
        "recall.fields",
        "recall.fusion",
        "recall.type_policy",
        "recall.min_same_type",
        "recall.reliable_types",
        "recall.type_bonus",
        "recall.scope",
        "revise.repeat",
    }


def test_what_is_tuned_only_if_asked_for_can_be_asked_for():
    space = build_space(merit(), {"budget": True, "recall.same_group": True})
    assert {"budget", "recall.same_group"} <= set(space.own)


@pytest.mark.parametrize("name", [n for n in bundled_presets() if n != "iterative"])
def test_every_bundled_program_has_a_space_that_starts_from_itself(name):
    preset = load_preset(name)
    try:
        space = build_space(preset)
    except InputError as error:
        # no_dense and no_lexical are about their weight; others recall nothing.
        assert "add up to 1" in str(error) or "no setting to tune" in str(error)
        return
    assert space.changed(space.settings(space.own)) == {}
    assert space.with_settings(space.settings(space.own)) == preset


def test_a_user_narrows_widens_and_leaves_out():
    space = build_space(
        merit(),
        {
            "recall.dense": {"low": 0.5, "high": 1.0, "step": 0.25},
            "recall.type_policy": ["hard", "off"],
            "recall.scope": False,
            "recall.top_k.positive": [3, 30],
            "revise.temperature": [0.8, 0.3],
        },
    )
    found = space.to_data()
    assert found["recall.dense"] == [0.5, 0.75, 1.0]
    assert found["recall.type_policy"] == ["hard", "off"]
    assert found["recall.top_k.positive"] == [3, 30]
    assert found["revise.temperature"] == [0.8, 0.3]
    assert "recall.scope" not in found


def test_only_leaves_the_rest_as_it_is():
    space = build_space(merit(), {"only": True, "recall.scope": True})
    assert list(space.own) == ["recall.scope"]
    assert space.size == 3


def test_one_weight_is_the_rest_of_the_other():
    space = build_space(merit(), {"only": True, "recall.dense": True})
    settings = space.settings({"recall.dense": 0.3})
    assert settings == {"recall.dense": 0.3, "recall.lexical": 0.7}
    recall = space.with_settings(settings).steps[2].settings
    assert (recall.dense, recall.lexical) == (0.3, 0.7)


def test_a_setting_that_changes_nothing_keeps_its_value():
    space = build_space(merit())
    off = space.settings({**space.own, "recall.type_policy": "off", "recall.min_same_type": 6})
    assert off["recall.min_same_type"] == 3
    soft = {"recall.type_policy": "reliability", "recall.reliable_types": "[]", "recall.min_same_type": 6}
    assert space.settings({**space.own, **soft})["recall.min_same_type"] == 3
    some = {**space.own, **soft, "recall.reliable_types": space.own["recall.reliable_types"]}
    assert space.settings(some)["recall.min_same_type"] == 6
    hard = space.settings({**space.own, "recall.min_same_type": 6, "recall.type_bonus": 0.3})
    assert (hard["recall.min_same_type"], hard["recall.type_bonus"]) == (6, 0.1)


@pytest.mark.parametrize(
    ("program", "step", "kinds"),
    [
        ("merit", "recall", ("positive", "negative")),
        ("dynamic_rag", "recall_mixed", ("positive", "negative")),
        ("merit_reflexion", "recall_reflections", ("reflections",)),
        ("sdam", "recall_rules", ("rules",)),
        ("cards", "recall_cards", ("cards",)),
    ],
)
def test_a_recall_has_the_choices_of_fields_that_make_a_difference_to_its_kinds(program, step, kinds):
    preset = load_preset(program)
    (settings,) = (spec.settings for spec in preset.steps if spec.name == step)
    choices = get_args(get_type_hints(type(settings))["fields"])
    assert all(choices == tuple(ENTRY_TEXTS[kind]) for kind in kinds)
    searched = build_space(preset).to_data().get(f"{step}.fields", ["all"])
    assert searched == list(choices)
    with pytest.raises(InputError, match="fields"):
        override(preset, [f"{step}.fields=schema"])


def test_values_stand_once():
    space = build_space(merit(), {"only": True, "recall.top_k.positive": [3, 3, 0]})
    assert space.to_data() == {"recall.top_k.positive": [3, 0]}


def test_programs_are_counted_where_they_can_be():
    asked = {"only": True, "recall.type_policy": ["hard", "off"], "recall.min_same_type": [1, 3]}
    space = build_space(merit(), asked)
    assert (space.size, space.programs) == (4, 3)
    assert len(list(space.each())) == 4
    assert build_space(merit()).programs is None


def test_draws_are_the_same_everywhere_and_in_the_space():
    space = build_space(merit())
    assert space.draw("1:2") == space.draw("1:2") != space.draw("1:3")
    for number in range(20):
        space.with_settings(space.settings(space.draw(str(number))))


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"recall.dens": True}, "recall.dense"),
        ({"recall.dense": {"low": 0, "high": 1}}, "low, high and step"),
        ({"recall.dense": {"low": 0, "high": 1, "step": 0.1}}, "own value 0.75"),
        ({"recall.dense": {"low": 0.25, "high": 1.25, "step": 0.25}}, "recall.dense"),
        ({"recall.type_policy": ["hard", "sofft"]}, "recall.type_policy"),
        ({"recall.scope": []}, "low, high and step"),
        ({"section_order": True}, "declares no range"),
        ({"only": "yes"}, "true or false"),
        ({"budget": {"low": float("nan"), "high": 8, "step": 1}}, "budget: no range"),
        ({"budget": {"low": 1, "high": float("inf"), "step": 1}}, "budget: no range"),
        ({"budget": {"low": 1, "high": 10**400, "step": 1}}, "budget: no range"),
        ({"budget": [3, float("nan")]}, "budget: a value is"),
        ({"budget": [3, date(2026, 1, 1)]}, "budget: a value is"),
        ({"recall.lexical": [0.25, 0.5]}, "cannot be searched beside"),
        ({"only": True}, "no setting to tune"),
        ({"only": True, "recall.scope": ["any"]}, "no setting to tune"),
    ],
)
def test_a_bad_space_is_refused_and_named(changes, says):
    with pytest.raises(InputError, match=says):
        build_space(merit(), changes)


def test_a_program_without_memory_has_nothing_but_its_revisions():
    assert list(build_space(load_preset("iterative")).own) == ["revise.repeat"]


def test_weights_that_do_not_add_up_are_refused():
    with pytest.raises(InputError, match="add up to 1"):
        build_space(merit("recall.dense=0.5"))


def test_a_space_file_is_data(tmp_path):
    file = tmp_path / "space.yaml"
    file.write_text("recall.type_policy: [hard, off]\nrecall.scope: false\n")
    assert read_space(file) == {"recall.type_policy": ["hard", "off"], "recall.scope": False}
    file.write_text("!!python/object/apply:os.system [true]\n")
    with pytest.raises(InputError):
        read_space(file)
    with pytest.raises(InputError, match="cannot read"):
        read_space(tmp_path / "missing.yaml")


def test_a_recall_of_nothing_has_no_other_settings():
    space = build_space(merit())
    other = {
        "recall.dense": 0.2,
        "recall.fusion": "rrf",
        "recall.scope": "same_database",
        "recall.fields": "failure",
    }
    nothing = {"recall.top_k.positive": 0, "recall.top_k.negative": 0}
    found = space.settings({**space.own, **nothing, **other})
    assert found == {**space.settings(space.own), **nothing}
    one = space.settings({**space.own, **nothing, "recall.top_k.negative": 1, **other})
    assert one == {**one, **other, "recall.top_k.positive": 0}
    cards = build_space(load_preset("cards"))
    none = cards.settings({**cards.own, "recall_cards.top_k": 0, "recall_cards.scope": "any"})
    assert (none["recall_cards.top_k"], none["recall_cards.scope"]) == (0, "same_database")


def test_a_random_ranking_looks_at_no_score():
    space = build_space(merit("recall.ranking=random"))
    scores = {"recall.dense": 0.2, "recall.fusion": "rrf", "recall.fields": "failure"}
    assert space.settings({**space.own, **scores}) == space.settings(space.own)
    assert space.settings({**space.own, "recall.scope": "same_database"}) != space.settings(space.own)


def test_rules_are_not_searched_by_types_which_they_are_not_asked_for():
    paths = set(build_space(load_preset("sdam")).own)
    rules = {path for path in paths if path.startswith("recall_rules.")}
    assert rules == {"recall_rules.dense", "recall_rules.fusion", "recall_rules.scope", "recall_rules.top_k"}


def test_own_weights_of_many_digits_stay_as_they_are():
    preset = merit("recall.dense=0.333333333333", "recall.lexical=0.666666666667")
    space = build_space(preset, {"only": True, "recall.dense": [0.333333333333, 0.5]})
    assert space.changed(space.settings(space.own)) == {}
    assert space.settings({"recall.dense": "0.5"})["recall.lexical"] == 0.5
