"""A comparison of programs that reason and learn: demonstrations for all, costs apart, trees."""

from __future__ import annotations

import json
from collections import Counter

import pytest

from sqlmend.errors import InputError
from sqlmend.eval import load_benchmark
from sqlmend.eval.comparison import compare, read_config
from sqlmend.eval.measures import results
from sqlmend.modules.tree import tree_from_data
from sqlmend.testing import HashEmbedder
from tests.eval.comparisons import request, start
from tests.reasoner import answer


class Counting(HashEmbedder):
    """Counts how often a text was embedded."""

    def __init__(self):
        super().__init__()
        self.counts = Counter()

    def embed(self, texts):
        self.counts.update(texts)
        return super().embed(texts)


def settings(**changes):
    mini = load_benchmark("mini")
    return {
        "programs": ("sdam_small", "sdam_small:baseline"),
        "benchmark": mini.select(databases=["web_shop"], sample="4"),
        "demonstrations": mini.select(databases=["clinic"], limit=4),
        "same_groups": ("allow",),
        "budget": 0,
        "reply": answer,
    } | changes


@pytest.fixture(scope="module")
def compared(tmp_path_factory):
    """The request of a finished comparison, its prompts and its embedder."""
    prompts, embedder = [], Counting()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("tests.eval.comparisons.HashEmbedder", lambda: embedder)
        asked = start(
            tmp_path_factory.mktemp("sdam") / "cmp",
            **settings(reply=lambda prompt: prompts.append(prompt) or answer(prompt)),
            keep_index=False,
        )
    return asked, prompts, embedder


@pytest.fixture(scope="module")
def document(compared):
    return results(compared[0].out)


def test_all_programs_see_the_demonstrations_which_are_embedded_once(compared):
    asked, prompts, embedder = compared
    shown = [prompt for prompt in prompts if prompt.count("\nquery: ") == 3]
    assert len(shown) >= len(asked.benchmark.questions)
    assert {embedder.counts[question.text] for question in asked.demonstrations.questions} == {1}
    for stream in asked.streams:
        assert '"demonstrations"' in (stream.folder(asked.out) / "config.json").read_text("utf-8")


def test_the_configuration_and_the_results_name_them(compared, document):
    asked = compared[0]
    named = {"name": "mini", "data_hash": asked.demonstrations.data_hash}
    assert read_config(asked.out)["demonstrations"] == named
    assert document["provenance"]["demonstrations"] == named
    assert document["provenance"]["embedder"] == "hash64"


def test_the_configuration_names_every_prompt_of_a_program(compared):
    asked = compared[0]
    prompts = read_config(asked.out)["prompts"]
    assert {"generate", "answer_view", "reason", "contradictions", "extract"} <= prompts.keys()
    for stream in asked.streams:
        run_config = json.loads((stream.folder(asked.out) / "config.json").read_text("utf-8"))
        assert run_config["prompts"].items() <= prompts.items()


@pytest.mark.parametrize("other", [None, ["farm_coop"]])
def test_a_resume_with_others_is_refused(compared, other):
    split = other and load_benchmark("mini").select(databases=other)
    again = request(compared[0].out, **settings(demonstrations=split), resume=True)
    with again.benchmark, pytest.raises(InputError, match="another comparison") as error:
        compare(again)
    assert any("demonstrations" in difference for difference in error.value.context["differences"])


def test_what_is_judged_is_refused_before_anything_is_written(tmp_path):
    asked = request(tmp_path / "cmp", **settings(demonstrations=load_benchmark("mini")))
    with asked.benchmark, pytest.raises(InputError, match="share the database web_shop"):
        compare(asked)
    assert not asked.out.exists()


def test_answering_and_memory_construction_are_told_apart(compared, document):
    asked = compared[0]
    for stream in asked.streams:
        summary = json.loads((stream.folder(asked.out) / "summary.json").read_text("utf-8"))
        (found,) = [run for run in document["runs"] if run["program"] == stream.program]
        rows = [row for row in document["by_question"] if row["program"] == stream.program]
        assert found["calls_answering"] >= found["n"]
        assert found["calls_repair"] == 0
        assert found["calls_answering"] + found["calls_construction"] == found["calls"] == summary["calls"]
        assert [row["question_id"] for row in rows] == [q["id"] for q in read_config(asked.out)["questions"]]
        assert sum(row["tokens_construction"] for row in rows) == found["tokens_construction"]
        assert (found["calls_construction"] > 0) == (stream.program == "sdam_small")
        if stream.program == "sdam_small":
            for part in ("answering", "construction"):
                assert found[f"calls_{part}"] == summary[part]["calls"]
                by_question = {key: costs[part]["calls"] for key, costs in summary["by_question"].items()}
                assert {row["question_id"]: row[f"calls_{part}"] for row in rows} == by_question


def test_trees_are_those_of_the_cases_and_the_first_one(document):
    (pair,) = document["pairs"]
    named = {case["question_id"] for case in pair["cases"]}
    trees = {row["question_id"]: row for row in document["trees"]}
    assert named <= set(trees)
    assert 1 <= len(trees) <= len(named) + 1
    for row in trees.values():
        assert (row["program"], row["order"], row["db_id"]) == ("sdam_small", 0, "web_shop")
        assert tree_from_data(row["tree"]).candidates == ("c1", "c2", "c3")
