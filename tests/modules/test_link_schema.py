"""Linking: what is read from answers of several formats, and what the words of a question name."""

import dspy
import pytest

from sqlmend.databases import Column, ForeignKey, Schema, Table
from sqlmend.databases.views import Links
from sqlmend.errors import InputError
from sqlmend.modules import LinkSchema
from sqlmend.modules._link_schema import lexical_links
from tests.modules.scripts import Recorder


def test_links_of_several_formats_are_united(database):
    recorder = Recorder("<answer>city: name</answer>", "<answer>country: code\ncity: area</answer>")
    with dspy.context(lm=recorder.lm):
        links = LinkSchema(("m_schema", "ddl"))(
            schema=database.schema(), question="Which?", evidence="E"
        ).links
    assert links == Links(frozenset({("city", "name"), ("city", "area"), ("country", "code")}))
    assert "# Table: city" in recorder.prompts[0]
    assert "CREATE TABLE city" in recorder.prompts[1]
    assert "<evidence>\nE\n</evidence>" in recorder.prompts[0]


def test_a_format_that_does_not_fit_links_nothing(database):
    samples = {"city": {"name": ["x " * 2000]}}
    recorder = Recorder("<answer>city: name</answer>", context_window=1400)
    with dspy.context(lm=recorder.lm):
        both = LinkSchema(("m_schema", "ddl"))(schema=database.schema(), question="Which?", samples=samples)
        none = LinkSchema(("m_schema",))(schema=database.schema(), question="Which?", samples=samples)
    assert both.links == Links(frozenset({("city", "name")}))
    assert not none.links
    assert len(recorder.prompts) == 1


def test_words_link_names_and_sampled_values(database):
    samples = {"country": {"name": ["Peru", "Norway"]}}
    links = lexical_links(database.schema(), "How large is the area of the cities in Peru?", samples)
    assert links == Links(frozenset({("city", "area"), ("country", "name")}))


@pytest.mark.parametrize("said", ["vote", "votes", "voted", "voter", "voters"])
def test_a_name_is_said_with_other_endings(said):
    schema = Schema((Table("VOTES", (Column("id"),)), Table("rod", (Column("id"),))))
    assert lexical_links(schema, f"who {said}, roder?", {}) == Links(tables=frozenset({"votes"}))


def test_linked_tables_bring_those_that_join_them():
    schema = _keys("student", "enrolled>student,course", "course", "room>course", "lamp")
    links = LinkSchema(())(schema=schema, question="Which student is in which room? Which lamp?").links
    assert links.tables == {"student", "enrolled", "course", "room", "lamp"}
    assert LinkSchema(())(schema=schema, question="Which course?").links.tables == {"course"}


def _keys(*tables):
    """Tables of one column, each with keys to those that stand behind its name."""
    parts = [table.partition(">") for table in tables]
    keys = {name: tuple(ForeignKey(("a",), t, ("a",)) for t in to.split(",") if to) for name, _, to in parts}
    return Schema(tuple(Table(name, (Column("a"),), keys[name]) for name, _, _ in parts))


def test_without_a_format_no_model_is_asked(database):
    recorder = Recorder("nothing")
    with dspy.context(lm=recorder.lm):
        links = LinkSchema(())(schema=database.schema(), question="The code of a country?").links
    assert links == Links(frozenset({("country", "code")}))
    assert recorder.prompts == []


def test_an_unknown_format_is_an_error():
    with pytest.raises(InputError, match="m_schema"):
        LinkSchema(("m_schem",))
