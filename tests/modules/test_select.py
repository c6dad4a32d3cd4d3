"""Selection: the majority of results, executable first, and a judge where the vote is close."""

import dspy
import pytest

from sqlmend.modules import Select
from sqlmend.modules._select import read_choice
from sqlmend.modules.tree import Candidate, Path, Result
from tests.modules.scripts import Recorder


def candidate(label, signature):
    result = Result("ok", signature=signature, count=1) if signature else Result("syntax_error", "near")
    return Candidate(label, Path(sql=f"SELECT {label}"), result)


def chosen(signatures, **settings):
    made = [candidate(f"c{n}", signature) for n, signature in enumerate(signatures, 1)]
    return Select(**settings)(candidates=made, schema="S", question="Q")


@pytest.mark.parametrize(
    ("signatures", "label", "confidence", "agreed"),
    [
        (["a", "b", "b"], "c2", 2 / 3, ("c2", "c3")),
        (["a", "b"], "c1", 0.5, ("c1",)),
        (["", "", "b"], "c3", 1 / 3, ("c3",)),
        (["", ""], "c1", 0.0, ()),
        (["a", "b", "b", "a", "c"], "c1", 0.4, ("c1", "c4")),
    ],
)
def test_the_majority_of_results(signatures, label, confidence, agreed):
    made = chosen(signatures)
    assert (made.selected.label, made.confidence, made.agreed) == (label, pytest.approx(confidence), agreed)


@pytest.mark.parametrize(
    ("answer", "label"), [("<answer>B</answer>", "c2"), ("A", "c1"), ("b.", "c2"), ("neither", "c1")]
)
def test_a_judge_decides_a_close_vote(answer, label):
    recorder = Recorder(answer)
    with dspy.context(lm=recorder.lm):
        assert chosen(["a", "b"], judge=True).selected.label == label
        assert chosen(["a", "a", "a", "b"], judge=True).selected.label == "c1"
    (prompt,) = recorder.prompts
    assert "<A>\nSELECT c1" in prompt
    assert "<B>\nSELECT c2" in prompt


def test_a_judge_that_cannot_be_asked_leaves_the_vote_as_it_is():
    recorder = Recorder("<answer>B</answer>", context_window=600)
    with dspy.context(lm=recorder.lm):
        assert chosen(["a", "b"], judge=True).selected.label == "c1"
    assert recorder.prompts == []


@pytest.mark.parametrize(
    ("text", "choice"),
    [
        ("B", "B"),
        ("a", "A"),
        ("**B**", "B"),
        ("(B)", "B"),
        ("Query B", "B"),
        ("Answer: B", "B"),
        ("B is better", "B"),
        ("The better query is B.", "B"),
        ("B, because A counts rows", "B"),
        ("A lists all of them. The answer is B", "B"),
        ("A query that counts", "A"),
        ("A or B", ""),
        ("both", ""),
        ("", ""),
    ],
)
def test_reading_a_choice(text, choice):
    assert read_choice(text) == choice


def test_nothing_to_select_from_is_an_error():
    with pytest.raises(ValueError, match="at least one"):
        Select()(candidates=[])
