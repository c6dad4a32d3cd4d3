"""Contradictions: findings without a model, and what a model adds to them."""

import dspy

from sqlmend.modules import FindContradictions
from sqlmend.modules.contradictions import Finding
from sqlmend.modules.tree import Candidate, Path, merge, observe
from tests.modules.scripts import Recorder


def made(database, *queries):
    return [Candidate(f"c{n}", Path(sql=sql), observe(sql, database)) for n, sql in enumerate(queries, 1)]


def contradictions(database, recorder, candidates, **settings):
    with dspy.context(lm=recorder.lm):
        return FindContradictions(**settings)(
            candidates=candidates, database=database, schema="S", question="Q", tree=merge(candidates)
        )


def test_the_model_adds_to_the_findings(database):
    recorder = Recorder(
        "<answer>question | c2 | city.name | names were asked for\nmood | c1 | - | sad</answer>"
    )
    candidates = made(database, "SELECT id FROM city WHERE name = 'lima'", "SELECT area FROM city")
    found = contradictions(database, recorder, candidates)
    assert [str(f) for f in found.findings] == ["[c1] schema/value: city.name has 'Lima', not 'lima'"]
    assert found.contradictions == (
        *found.findings,
        Finding("question", "model", "names were asked for", ("c2",), (("city", "name"),)),
    )
    (prompt,) = recorder.prompts
    assert "schema | c1 | city.name | city.name has 'Lima', not 'lima'" in prompt
    assert "[c2] SELECT area FROM city\n  3 rows of (area): (2672.0); (385.0); (454.0)" in prompt
    assert "sql: select area from city  [c2: 3 rows" in prompt


def test_without_a_model_the_findings_are_all(database):
    recorder = Recorder("never")
    found = contradictions(database, recorder, made(database, "SELECT nme FROM city"), model=False)
    assert found.contradictions == found.findings
    assert recorder.prompts == []


def test_what_the_prompt_says_already_is_no_contradiction(database):
    recorder = Recorder(
        "<answer>schema | c1 | city.name | city.name has 'Lima', not 'lima'\nquestion: Q\n"
        "kind | candidates | table.column | what contradicts what</answer>"
    )
    found = contradictions(database, recorder, made(database, "SELECT id FROM city WHERE name = 'lima'"))
    assert found.contradictions == found.findings


def test_without_a_tree_the_paths_are_shown_one_by_one(database):
    recorder = Recorder("<answer>none</answer>")
    reasoned = [Candidate("c1", Path("Cities", ("city",), ("name",), sql="SELECT name FROM city"))]
    with dspy.context(lm=recorder.lm):
        FindContradictions()(candidates=reasoned, database=database, schema="S", question="Q")
    assert "<paths>\nc1\nquestion: Cities\ntables: city\ncolumns: city.name\n" in recorder.prompts[0]
