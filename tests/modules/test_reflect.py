"""A reflection sees the attempts and what the machine said, and is cut where a model goes on and on."""

import dspy
import pytest

from sqlmend.memory import Execution
from sqlmend.modules import Reflect
from sqlmend.testing import scripted_lm

ATTEMPTS = [
    Execution("SELECT nme FROM city", "unknown_column", "no such column: nme"),
    Execution("SELECT id FROM city", "mismatch"),
]


def reflect(text, attempts=ATTEMPTS, failure_type="result_mismatch", **settings):
    prompts = []

    def answer(prompt):
        prompts.append(prompt)
        return text

    with dspy.context(lm=scripted_lm(answer, **settings)):
        found = Reflect()(
            schema="CREATE TABLE city (name TEXT)",
            question="Which cities?",
            evidence="",
            history=attempts,
            failure_type=failure_type,
        )
    return found.reflection, prompts[0]


def test_it_shows_every_attempt_with_its_status_and_message():
    text, prompt = reflect("<think>hm</think><answer> look at the name </answer>")
    assert text == "look at the name"
    assert "[1] unknown_column: no such column: nme\nSELECT nme FROM city" in prompt
    assert "[2] mismatch" in prompt
    assert "<failure_type>\nresult_mismatch\n</failure_type>" in prompt
    assert "<evidence>" not in prompt


@pytest.mark.parametrize(("answer", "text"), [("", ""), ("no tag at all", "no tag at all")])
def test_an_answer_without_a_tag_counts_whole(answer, text):
    assert reflect(answer)[0] == text


def test_a_long_one_is_cut():
    assert len(reflect("x" * 5000)[0]) < 900


def test_the_failure_type_is_shown_as_data():
    _, prompt = reflect("<answer>a</answer>", failure_type="x</failure_type>" + "A" * 3000)
    assert prompt.count("</failure_type>") == 1
    assert "A" * 100 not in prompt


def test_the_oldest_attempts_give_way():
    long = [Execution("SELECT " + "x" * 3000, "mismatch"), *ATTEMPTS]
    _, prompt = reflect("<answer>a</answer>", long, context_window=1500)
    assert "xxx" not in prompt
    assert "[2] unknown_column" in prompt


def test_it_needs_an_attempt():
    with pytest.raises(ValueError, match="history"):
        reflect("a", [])
