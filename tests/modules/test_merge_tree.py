"""Merging by a model, with the rule behind it."""

import dspy
import pytest

from sqlmend.errors import InputError
from sqlmend.modules import MergeTree
from sqlmend.modules.tree import Candidate, Path, Result, merge
from tests.modules.scripts import Recorder

MADE = [
    Candidate(
        "c1", Path("Count", ("city",), functions=("COUNT",), sql="SELECT COUNT(*) FROM city"), Result("ok")
    ),
    Candidate(
        "c2", Path("Sum", ("city",), functions=("SUM",), sql="SELECT SUM(area) FROM city"), Result("ok")
    ),
]
DRAWN = """<answer>graph TD
a["question: area"] --> b["tables: city"]
b --> c["functions: COUNT"] --> e["sql: count [c1]"]
b --> d["functions: SUM"] --> f["sql: sum [c2]"]
</answer>"""


def merged(answer, database, **settings):
    recorder = Recorder(answer, **settings)
    with dspy.context(lm=recorder.lm):
        return MergeTree("model")(candidates=MADE, schema=database.schema(), question="Q"), recorder


def test_the_tree_that_a_model_draws_keeps_the_outcomes(database):
    made, recorder = merged(DRAWN, database)
    assert made.way == "model"
    assert [str(divergence) for divergence in made.tree.divergences] == ["functions: [c1] COUNT; [c2] SUM"]
    assert set(made.tree.results) == {"c1", "c2"}
    assert "c1\nquestion: Count\ntables: city" in recorder.prompts[0]
    assert "SELECT SUM(area) FROM city" in recorder.prompts[0]


def test_what_is_no_tree_of_the_candidates_is_merged_by_rule(database):
    for answer in ("", "I cannot draw", DRAWN.replace("[c2]", "[c3]")):
        made, _ = merged(answer, database)
        assert made.way == "deterministic"
        assert made.tree == merge(MADE, database.schema())


def test_a_prompt_that_does_not_fit_is_merged_by_rule(database):
    made, recorder = merged(DRAWN, database, context_window=700)
    assert (made.way, recorder.prompts) == ("deterministic", [])


def test_a_threshold_without_an_embedder_is_an_error(database):
    with pytest.raises(InputError, match=r"threshold of 0\.8 .* no embedder"):
        MergeTree(threshold=0.8)(candidates=MADE, schema=database.schema(), question="Q")


def test_by_rule_no_model_is_asked(database):
    assert MergeTree()(candidates=MADE, schema=database.schema(), question="Q").way == "deterministic"
