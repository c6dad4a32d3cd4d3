"""The programs of a comparison: loaded, told apart and changed by settings."""

from __future__ import annotations

import inspect

import pytest

from sqlmend.errors import InputError
from sqlmend.eval.comparison import SAME_GROUPS, load_contenders, parse_pairs
from sqlmend.eval.comparison._streams import StreamId, streams_of
from sqlmend.programs import bundled_presets, load_preset
from sqlmend.programs.steps import STEPS, Step


def keys(sources, **changes):
    return [contender.key for contender in load_contenders(sources, **changes)]


def test_presets_ablations_and_files_stand_side_by_side(tmp_path):
    own = tmp_path / "my variant.yaml"
    own.write_text("base: merit\nset: {recall.top_k.positive: 5}\n")
    contenders = load_contenders(["iterative", "merit:no_negative", str(own)])
    assert [c.key for c in contenders] == ["iterative", "merit.no_negative", "my-variant"]
    assert [c.name for c in contenders] == ["iterative", "merit:no_negative", "my variant"]
    assert [c.reads_memory for c in contenders] == [False, True, True]


@pytest.mark.parametrize("name", ["..", "../../x", "/etc/x", "a\0b", "\u202ex", " ", "x" * 300, "CON/.."])
def test_a_name_cannot_leave_the_folder(tmp_path, name):
    own = tmp_path / "own.yaml"
    own.write_text(f"base: merit\nname: {name!a}\n".replace("'", '"'))
    (key,) = keys([str(own)])
    assert 0 < len(key) <= 100
    assert set(key) <= set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-")
    assert key[0] != "."
    assert key[-1] != "."


def test_every_bundled_program_has_a_folder_of_its_own():
    assert len(set(keys(list(bundled_presets())))) == len(bundled_presets())


@pytest.mark.parametrize("name", ["merit", "Merit", "merit"])
def test_two_programs_of_one_name_are_refused(tmp_path, name):
    own = tmp_path / "own.yaml"
    own.write_text(f"base: iterative\nname: {name}\n")
    with pytest.raises(InputError, match=r"same|two programs"):
        load_contenders(["merit", str(own)])


def test_two_files_of_one_stem_are_refused_with_both_names(tmp_path):
    for folder in ("one", "two"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "own.yaml").write_text("base: merit\n")
    with pytest.raises(InputError, match="'own' and 'own'"):
        load_contenders([str(tmp_path / "one" / "own.yaml"), str(tmp_path / "two" / "own.yaml")])


def test_budget_goes_to_all_and_a_setting_to_those_that_have_it():
    plain, merit = load_contenders(["iterative", "merit"], ["recall.top_k.positive=5"], budget=2)
    assert (plain.preset.budget, merit.preset.budget) == (2, 2)
    assert plain.preset.steps == load_preset("iterative").steps
    (recall,) = (step.settings for step in merit.preset.steps if step.name == "recall")
    assert recall.top_k.positive == 5


@pytest.mark.parametrize(
    ("assignment", "says"),
    [
        ("recall.top_k.positve=5", "recall.top_k.positive"),
        ("recall.top_k.positive=-5", "greater than or equal"),
        ("recall.same_group=exclude", "--same-group"),
        ("nonsense", "path=value"),
    ],
)
def test_a_setting_that_none_has_or_that_is_wrong_is_refused(assignment, says):
    with pytest.raises(InputError) as error:
        load_contenders(["iterative", "merit"], [assignment])
    assert says in str(error.value)


@pytest.mark.parametrize(
    ("program", "assignment", "says"),
    [
        ("merit:no_dense", "recall.dense=0.6", "recall.dense 0.0 where merit has 0.75"),
        ("merit:no_dense", " recall.dense = 0 ", "merit:no_dense"),
        ("merit:no_lexical", "recall.lexical=0.3", "`set: {recall.lexical: 0.3}`"),
        ("merit:no_negative", "recall.top_k.negative=2", "leave merit:no_negative out"),
        ("merit:no_type_filter", "recall.type_policy=hard", '"off" where merit has "hard"'),
        ("merit_stop", "revise.repeat=keep", '"stop" where merit has "keep"'),
        ("merit_reliability", "recall.type_policy=hard", "`base: merit`"),
        ("sdam:no_anchor", "filter_rules.bound=true", "false where sdam has true"),
        ("sdam:generic", "recall_rules.bound=true", "sdam:generic"),
    ],
)
def test_a_setting_that_would_undo_a_variant_is_refused(program, assignment, says):
    """All programs would have it the same then, and one of them under a name that says otherwise."""
    for sources in ([program], [program.partition(":")[0], program], ["iterative", program]):
        with pytest.raises(InputError) as error:
            load_contenders(list(dict.fromkeys(sources)), [assignment])
        assert error.value.code == "undone_program"
        assert says in str(error.value)


def test_a_setting_that_a_file_has_of_its_own_is_not_undone_either(tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("base: merit:no_dense\nset: {recall.top_k.positive: 5}\n")
    for assignment in ("recall.top_k.positive=2", "recall.dense=0.5"):
        with pytest.raises(InputError, match="would undo own"):
            load_contenders(["merit", str(own)], [assignment])


def test_a_budget_that_a_file_has_of_its_own_is_not_undone_either(tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text("base: merit\nset: {budget: 3}\n")
    for changes, said in (({"budget": 5}, "--budget 5"), ({"overrides": ["budget=5"]}, "--set budget=5")):
        with pytest.raises(InputError, match=f"{said} would undo own, which has budget 3 where merit has 7"):
            load_contenders(["merit", str(own)], **changes)
    # What was tuned with a budget says so, and can be held against its base under one budget.
    own.write_text("base: merit\nset: {budget: 3, recall.top_k.positive: 5}\n")
    for budget in (3, 5):
        found = load_contenders(["merit", str(own)], budget=budget)
        assert [contender.preset.budget for contender in found] == [budget, budget]


def test_what_a_variant_shares_with_its_base_is_set_for_both_again_and_again():
    sources = ["merit", "merit:no_dense", "merit_stop"]
    sets = ["recall.top_k.positive=5", "recall.lexical=0.5", "recall.top_k.positive=2"]
    for contender in load_contenders(sources, sets, budget=2):
        (recall,) = (step.settings for step in contender.preset.steps if step.name == "recall")
        assert (recall.top_k.positive, recall.lexical) == (2, 0.5)


def test_same_group_reaches_every_step_that_has_it():
    for contender in load_contenders(list(bundled_presets())):
        for same_group in SAME_GROUPS:
            program = contender.program(same_group)
            set_to = {
                step.name: step.settings.same_group
                for step in program.preset.steps
                if hasattr(step.settings, "same_group")
            }
            assert set(set_to.values()) <= {same_group}
            assert bool(set_to) == contender.reads_memory, contender.name


@pytest.mark.parametrize("name", STEPS)
def test_every_step_that_reads_memory_can_leave_twins_out(name):
    """One step without the setting, and what twins left is in a stream that says it left them out."""
    step = STEPS[name]
    sources = [inspect.getsource(cls) for cls in step.__mro__ if issubclass(cls, Step) and cls is not Step]
    assert step.reads_memory == any("episode.memory" in source for source in sources)
    assert step.reads_memory == ("same_group" in step.settings_type.model_fields)


def test_a_program_without_memory_runs_once_and_orders_come_first():
    contenders = load_contenders(["iterative", "merit"])
    expected = [
        StreamId(program, group, order)
        for order in (0, 2)
        for program, group in (("iterative", "allow"), ("merit", "allow"), ("merit", "exclude"))
    ]
    assert list(streams_of(contenders, SAME_GROUPS, (0, 2))) == expected
    only = streams_of(contenders, ("exclude",), (0,))
    assert [(s.program, s.same_group) for s in only] == [("iterative", "allow"), ("merit", "exclude")]


@pytest.mark.parametrize(
    ("text", "pairs"),
    [
        ("merit:iterative", [("merit", "iterative")]),
        ("merit:no_negative:merit", [("merit.no_negative", "merit")]),
        (
            "merit:merit:no_negative , iterative:merit.no_negative",
            [("merit", "merit.no_negative"), ("iterative", "merit.no_negative")],
        ),
        ("merit:no_negative:merit:no_type_filter", [("merit.no_negative", "merit.no_type_filter")]),
    ],
)
def test_pairs_are_cut_where_both_sides_are_programs(text, pairs):
    contenders = load_contenders(["iterative", "merit", "merit:no_negative", "merit:no_type_filter"])
    assert list(parse_pairs(text, contenders)) == pairs


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("merit:itertive", "iterative"),
        ("merit", "no pair of programs"),
        ("merit:merit", "against itself"),
        ("merit:iterative,iterative:merit", "twice"),
        (" , ", "no pair"),
        ("merit:no_negative:iterativ", "no pair of programs"),
    ],
)
def test_a_pair_that_is_none_is_refused(text, says):
    contenders = load_contenders(["iterative", "merit", "merit:no_negative"])
    with pytest.raises(InputError) as error:
        parse_pairs(text, contenders)
    assert says in str(error.value)


def test_a_pair_that_can_be_read_in_two_ways_is_refused(tmp_path):
    for number, name in enumerate(("a", "b", "a:b", "b:a")):
        (tmp_path / f"{number}.yaml").write_text(f"base: merit\nname: {name}\n")
    contenders = load_contenders(sorted(map(str, tmp_path.glob("*.yaml"))))
    with pytest.raises(InputError, match="2 ways"):
        parse_pairs("a:b:a", contenders)
    assert parse_pairs("a:b.a", contenders) == (("a", "b.a"),)
