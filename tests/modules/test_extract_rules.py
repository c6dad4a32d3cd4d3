"""Rules and lessons from what a model answers."""

from dataclasses import replace

import dspy

from sqlmend.memory import Rule
from sqlmend.modules import ExtractLessons, ExtractRules
from sqlmend.modules.contradictions import Finding
from sqlmend.modules.tree import Candidate, Path, Result, merge
from tests.modules.scripts import Recorder

BLOCK = """type: domain
anchor: COUNTRY.code
pattern: code = 'Peru'
condition: a country is named
correction: use country.code = 'PE'"""
RULE = Rule("domain", "code = 'Peru'", "a country is named", "use country.code = 'PE'", ("country.code",))
FOUND = [Finding("schema", "value", "no 'Peru'", ("c1",))]
MADE = [Candidate("c1", Path(sql="SELECT 1"), Result("ok", columns=("1",), rows=((1,),), count=1))]


def extracted(database, recorder, contradictions):
    with dspy.context(lm=recorder.lm):
        return ExtractRules()(contradictions, MADE, database.schema(), schema="S", question="Q").rules


def test_rules_of_contradictions(database):
    recorder = Recorder(f"<answer>{BLOCK}</answer>")
    assert extracted(database, recorder, FOUND) == (RULE,)
    assert "<contradictions>\nschema | c1 | - | no 'Peru'\n</contradictions>" in recorder.prompts[0]


def test_without_contradictions_nothing_is_asked(database):
    recorder = Recorder("never")
    assert extracted(database, recorder, []) == ()
    assert recorder.prompts == []


def test_where_nobody_looked_for_contradictions_outcomes_are_shown(database):
    recorder = Recorder("<answer>none</answer>")
    assert extracted(database, recorder, None) == ()
    assert "[c1] SELECT 1\n  1 rows of (1): (1)" in recorder.prompts[0]
    assert "<contradictions>" not in recorder.prompts[0]


def test_rules_that_are_not_bound_have_no_anchors(database):
    with dspy.context(lm=Recorder(f"<answer>{BLOCK}</answer>").lm):
        rules = ExtractRules(bound=False)(FOUND, MADE, database.schema(), schema="S", question="Q").rules
    assert rules == (replace(RULE, anchors=()),)


def test_without_a_tree_the_paths_are_shown_one_by_one(database):
    recorder = Recorder("<answer>none</answer>")
    made = [
        Candidate("c1", Path("Count them", ("city",), functions=("count",), sql="SELECT COUNT(*) FROM city")),
        Candidate(
            "c2", Path("Add up", ("City",), ("area",), ("sum",), ("x = 1",), "SELECT SUM(area) FROM city")
        ),
        Candidate("c3", Path(sql="SELECT 1")),
    ]
    with dspy.context(lm=recorder.lm):
        for tree in (None, merge(made)):
            ExtractRules()(FOUND, made, database.schema(), schema="S", question="Q", tree=tree)
    one_by_one, merged = recorder.prompts
    assert (
        "<paths>\nc1\nquestion: Count them\ntables: city\ncolumns: none\nfunctions: COUNT\nvalues: none\n"
        "c2\nquestion: Add up\ntables: city\ncolumns: city.area\nfunctions: SUM\nvalues: x = 1\n</paths>"
    ) in one_by_one
    assert "<tree>" not in one_by_one
    assert "<paths>" not in merged


def test_lessons_are_lines():
    recorder = Recorder("<answer>1. Check names.\n- Mind NULL.\n\nthird\nfourth</answer>")
    with dspy.context(lm=recorder.lm):
        rules = ExtractLessons()(candidates=MADE, schema="S", question="Q").rules
    assert rules == tuple(Rule("", "", "", text) for text in ("Check names.", "Mind NULL.", "third"))


def test_rules_are_begun_with_what_the_contradictions_are_about(database):
    found = [
        Finding(
            "schema", "unknown_column", "no such column: nme: it is in city", ("c1",), (("city", "name"),)
        ),
        Finding("schema", "unknown_function", "no such function: f", ("c2",)),
        Finding("structure", "join", "joins differ", ("c1", "c2"), (("city", ""), ("country", "code"))),
    ]
    recorder = Recorder("<answer>anchor: city.name\ncorrection: SELECT 1  [c2: 1 row 0c60e4]</answer>")
    assert extracted(database, recorder, found) == (
        Rule("domain", "no such column: nme: it is in city", "", "SELECT 1", ("city.name",)),
    )
    begun = (
        "anchor: city.name\ncondition:\ncorrection:",
        "anchor: city, country.code\ncondition:\ncorrection:",
    )
    assert recorder.prompts[0].endswith(f"<answer>\n{begun[0]}\n\n{begun[1]}\n</answer>")
    with dspy.context(lm=recorder.lm):
        ExtractRules(bound=False)(found, MADE, database.schema(), schema="S", question="Q")
    assert recorder.prompts[1].endswith("<answer>\ncondition:\ncorrection:\n</answer>")
