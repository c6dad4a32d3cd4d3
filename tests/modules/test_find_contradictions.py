"""Contradictions: findings without a model, and what a model adds to them."""

import dspy
import pytest

from sqlmend.modules import FindContradictions
from sqlmend.modules._find_contradictions import read_contradictions
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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("structure | c1, c2 | - | join or nested", ("structure", ("c1", "c2"), "join or nested")),
        ("- Schema | c1 | city.name, country | no such value", ("schema", ("c1",), "no such value")),
        ("question: c2 counts rows", ("question", ("c2",), "c2 counts rows")),
        ("schema | wrong value", ("schema", (), "wrong value")),
        ("none", None),
        ("schema", None),
        ("something | c1 | x | y", None),
    ],
)
def test_reading_contradictions(line, expected):
    found = [(f.kind, f.candidates, f.text) for f in read_contradictions(line, ["c1", "c2"])]
    assert found == ([expected] if expected else [])
