"""Asking for looks: what the prompt tells, and which queries are read off an answer."""

import dspy
import pytest

from sqlmend.memory import Execution
from sqlmend.modules import AskProbes, Known, Probe, load_prompt
from sqlmend.modules._ask_probes import read_queries
from tests.modules.scripts import Recorder

WRONG = Execution("SELECT nme FROM city", "unknown_column", "no such column: nme")
FOUND = Probe(Execution("SELECT 7", "ok"), "1 row of (7): (7)", 1)


@pytest.mark.parametrize(
    ("completion", "queries"),
    [
        ("<answer>SELECT a FROM t;\nSELECT b FROM u;</answer>", ("SELECT a FROM t", "SELECT b FROM u")),
        ("<answer>SELECT a FROM t\nSELECT b FROM u</answer>", ("SELECT a FROM t", "SELECT b FROM u")),
        ("<answer>1. SELECT a FROM t\n2. SELECT b FROM u</answer>", ("SELECT a FROM t", "SELECT b FROM u")),
        ("- SELECT a FROM t;\n- SELECT b FROM u;", ("SELECT a FROM t",)),
        ("<answer>SELECT 1;</answer>\n<answer>SELECT 2</answer>", ("SELECT 1", "SELECT 2")),
        ("```sql\nSELECT 1;\nSELECT ';';\n```", ("SELECT 1", "SELECT ';'")),
        ("<answer>SELECT 1; SELECT 1;</answer>", ("SELECT 1",)),
        ("<answer>DROP TABLE t; SELECT 1</answer>", ("DROP TABLE t", "SELECT 1")),
        ("<think>SELECT 9;</think><answer>SELECT 1</answer>", ("SELECT 1",)),
        ("<answer>none</answer>", ()),
        ("I need no look.", ()),
        ("", ()),
    ],
)
def test_queries_are_read_off_an_answer(completion, queries):
    assert read_queries(completion) == queries


def ask(known, answer="<answer>SELECT 1; SELECT 2; SELECT 3;</answer>", order="prefix", **settings):
    model = Recorder(answer, **settings)
    with dspy.context(lm=model.lm):
        asked = AskProbes(2, order)(
            schema="CREATE TABLE city (name TEXT)", question="Which?", evidence="", known=known
        )
    (prompt,) = model.prompts
    return asked, prompt


def test_one_call_asks_for_at_most_so_many():
    asked, prompt = ask(Known([WRONG], "message"))
    assert asked.queries == ("SELECT 1", "SELECT 2")
    assert "<queries_at_most>\n2\n</queries_at_most>" in prompt


def test_an_answer_without_a_query_asks_for_none():
    assert ask(Known(), "there is nothing to look at")[0].queries == ()


@pytest.mark.parametrize("order", ["prefix", "published"])
@pytest.mark.parametrize(
    ("told", "shown", "hidden"),
    [
        ("none", (), ("SELECT nme", "no such column", "unknown_column", "wrong", "<history>")),
        ("verdict", ("SELECT nme", "<wrong_queries>"), ("no such column", "unknown_column", "<history>")),
        ("message", ("SELECT nme", "no such column", "<history>"), ("<wrong_queries>",)),
    ],
)
def test_a_prompt_tells_of_the_attempts_what_the_setting_says(told, shown, hidden, order):
    _, prompt = ask(Known([WRONG], told, [FOUND]), order=order)
    assert all(text in prompt for text in (*shown, "1 row of (7): (7)"))
    assert not any(text in prompt for text in hidden)


def test_its_prompt_is_data_with_a_version():
    prompt = load_prompt("probe")
    assert prompt.version.startswith("probe/")
    assert {frozenset(order) for order in prompt.orders.values()} == {frozenset(prompt.sections)}
