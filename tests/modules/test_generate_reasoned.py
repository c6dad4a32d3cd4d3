"""Candidates of several views: direct and reasoned ones, whole, repaired or without a query."""

import threading

import dspy
import pytest

from sqlmend.errors import SqlmendError
from sqlmend.memory import Rule
from sqlmend.models import LanguageModel, meter
from sqlmend.modules import Example, GenerateDirect, GenerateReasoned
from sqlmend.modules.tree import Path
from sqlmend.testing import ScriptedEngine, scripted_lm
from tests.modules.scripts import Recorder

VIEWS = {"m_schema/none": "# Table: city", "ddl/full": "CREATE TABLE city (name TEXT)"}
RULE = Rule("domain", "code = 'Peru'", "a country is named", "use country.code = 'PE'", ("country.code",))
WHOLE = """<rephrased>Name the cities</rephrased>
<tables>city, country</tables>
<columns>city.name, country.code</columns>
<functions>none</functions>
<conditions>country.code = 'PE'; city.area > 3</conditions>
<answer>SELECT city.name FROM city JOIN country ON country.id = city.country_id WHERE code = 'PE'</answer>"""


def test_each_view_has_a_candidate(database):
    recorder = Recorder("<answer>SELECT 1</answer>", "<answer>SELECT 2</answer>")
    with dspy.context(lm=recorder.lm):
        candidates = GenerateDirect()(
            views=VIEWS, question="Q", examples=[Example("How many?", "SELECT COUNT(*)")], rules=[RULE]
        ).candidates
    assert [(c.label, c.view, c.sql) for c in candidates] == [
        ("c1", "m_schema/none", "SELECT 1"),
        ("c2", "ddl/full", "SELECT 2"),
    ]
    assert "# Table: city" in recorder.prompts[0]
    assert "question: How many?\nquery: SELECT COUNT(*)" in recorder.prompts[0]
    assert (
        "[1] domain [country.code]; when: a country is named; not: code = 'Peru'; but: use"
        in recorder.prompts[1]
    )


def test_without_examples_and_rules_their_sections_are_left_out():
    recorder = Recorder("<answer>SELECT 1</answer>")
    with dspy.context(lm=recorder.lm):
        GenerateDirect()(views=VIEWS, question="Q")
    assert "lessons" not in recorder.prompts[0]
    assert "examples" not in recorder.prompts[0]


def test_a_view_that_does_not_fit_has_none():
    recorder = Recorder("<answer>SELECT 1</answer>", context_window=1200)
    views = {"m_schema/none": "x " * 4000, "ddl/full": "CREATE TABLE city (name TEXT)"}
    with dspy.context(lm=recorder.lm):
        assert [c.label for c in GenerateDirect()(views=views, question="Q").candidates] == ["c2"]
        with pytest.raises(SqlmendError, match="do not fit"):
            GenerateDirect()(views={"m_schema/none": "x " * 4000}, question="Q")


def test_a_view_that_the_server_finds_too_long_has_none():
    def reply(prompt):
        if "CREATE" in prompt:
            raise SqlmendError("lm_context", "too long")
        return "<answer>SELECT 1</answer>"

    with dspy.context(lm=scripted_lm(reply)):
        assert [c.label for c in GenerateDirect()(views=VIEWS, question="Q").candidates] == ["c1"]


def test_a_reasoned_candidate_has_its_steps(database):
    recorder = Recorder(WHOLE, "I think <answer>SELECT COUNT(*) FROM city WHERE area > 400</answer>")
    with dspy.context(lm=recorder.lm):
        made = GenerateReasoned()(views=VIEWS, schema=database.schema(), question="Q", rules=[RULE])
    assert made.parsed == {"c1": "whole", "c2": "repaired"}
    whole, repaired = (candidate.path for candidate in made.candidates)
    assert whole.question == "Name the cities"
    assert whole.tables == ("city", "country")
    assert whole.values == ("country.code = 'PE'", "city.area > 3")
    assert repaired == Path(
        "",
        ("city",),
        ("city.area",),
        ("COUNT",),
        ("area > 400",),
        "SELECT COUNT(*) FROM city WHERE area > 400",
    )
    assert len(recorder.prompts) == 2, "nothing is asked twice"


class Served(ScriptedEngine):
    """Says that it is served, and lets no call end before all have begun."""

    def __init__(self, parties):
        self.barrier = threading.Barrier(parties, timeout=30)
        super().__init__(lambda prompt: "<answer>SELECT 1</answer>")

    @property
    def identity(self):
        return {"engine": "litellm", "model": "served"}

    def complete(self, request):
        self.barrier.wait()
        return super().complete(request)


def test_a_served_model_is_asked_at_the_same_time_and_counted():
    lm = LanguageModel("served", Served(2))
    with dspy.context(lm=lm), meter() as usage:
        made = GenerateDirect()(views=VIEWS, question="Q").candidates
    assert [candidate.label for candidate in made] == ["c1", "c2"]
    assert usage.calls == 2
