"""The gate: what needs no model first, then the model's word, with reasons."""

import dspy
import pytest

from sqlmend.memory import Rule
from sqlmend.modules import FilterRules
from sqlmend.modules._filter_rules import read_drops
from sqlmend.modules.contradictions import Facts, find
from sqlmend.modules.tree import Candidate, Path
from tests.modules.scripts import Recorder


def rule(correction, anchor="country.code"):
    return Rule("domain", "", f"case of {correction}", correction, (anchor,))


GOOD, OTHER, BAD = rule("use country.code = 'PE'"), rule("use country.name"), rule("use x", "country.nme")


def judged(database, recorder, rules, known=(), facts=None, **settings):
    with dspy.context(lm=recorder.lm):
        return FilterRules(**settings)(rules=rules, known=known, database=database, schema="S", facts=facts)


def test_the_model_judges_what_passes_the_rules(database):
    recorder = Recorder("<answer>1 keep: true\n2 drop: says nothing</answer>")
    found = judged(database, recorder, [BAD, GOOD, OTHER], known=[rule("use city.name", "city.name")])
    assert [(v.kept, v.code) for v in found.judged] == [
        (False, "unknown_anchor"),
        (True, ""),
        (False, "model"),
    ]
    assert found.judged[2].reason == "says nothing"
    assert found.kept == (GOOD,)
    (prompt,) = recorder.prompts
    assert "[1] domain [country.code]; when: case of use country.code" in prompt
    assert "country.nme" not in prompt
    assert "<known_rules>\n[1] domain [city.name]" in prompt


def test_without_a_model_or_rules_nothing_is_asked(database):
    recorder = Recorder("never")
    assert judged(database, recorder, [GOOD], model=False).kept == (GOOD,)
    assert judged(database, recorder, [BAD]).kept == ()
    assert judged(database, recorder, []).judged == ()
    assert recorder.prompts == []


def test_what_was_read_for_findings_is_not_read_again(database):
    facts = Facts(database)
    find([Candidate("c1", Path(sql="SELECT id FROM country WHERE code = 'PE'"))], database, "Q", facts=facts)
    facts._database = None
    assert judged(database, Recorder("never"), [GOOD], model=False, facts=facts).kept == (GOOD,)


def test_unbound_rules_pass_without_anchors(database):
    recorder = Recorder("never")
    assert judged(database, recorder, [BAD], model=False, bound=False).kept == (BAD,)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1 keep\n2: drop - wrong", {2: "wrong"}),
        ("[1] drop because of this", {1: "because of this"}),
        ("Rule 3 - DROP", {3: "the model gives no reason"}),
        ("drop 1: bad", {1: "bad"}),
        ("**1** **drop**: x", {1: "x"}),
        ("1 | drop | x |", {1: "x |"}),
        ("1: This rule should be dropped.", {1: "the model gives no reason"}),
        ("Drop rules 1, 3 and 4: 2 is true", {1: "2 is true", 3: "2 is true", 4: "2 is true"}),
        ("[1], [2] drop", dict.fromkeys((1, 2), "the model gives no reason")),
        ("keep 1: not to drop", {}),
        ("1 keep: why", {}),
        ("all are fine", {}),
        ("", {}),
    ],
)
def test_reading_verdicts(text, expected):
    assert read_drops(text) == expected
