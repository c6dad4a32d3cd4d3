"""A finished run's recalls under other settings."""

import json
import shutil
from dataclasses import replace

import pytest

from sqlmend.errors import InputError
from sqlmend.eval import Benchmark, load_benchmark, read_episodes
from sqlmend.memory import IMPORTED, CardEntry, CardPart, Memory
from sqlmend.optimize import what_if
from sqlmend.optimize._replay import moments_of
from sqlmend.programs import load_program
from sqlmend.testing import HashEmbedder
from tests.eval.runs import reproducible, start

SMALL = {"only": True, "recall.scope": True, "recall.fusion": True}


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("what_if") / "run"
    start(folder, sample="30")
    return folder


def test_its_own_settings_rank_as_the_run_did_and_the_run_stays_as_it_is(run):
    before = reproducible(run)
    names = sorted(str(path) for path in run.rglob("*"))
    found = what_if(run, HashEmbedder(), changes=SMALL)
    assert found["recalls"] == found["reproduced"] > 10
    assert reproducible(run) == before
    assert sorted(str(path) for path in run.rglob("*")) == names


def test_what_is_the_same_changes_nothing_and_what_is_off_changes_what_there_was(run):
    space = {"only": True, "recall.top_k.positive": [0, 3, 100], "recall.scope": ["any"]}
    found = what_if(run, HashEmbedder(), changes=space)
    none, many = found["settings"][0]["values"]
    steps = [json.loads(line) for line in (run / "steps.jsonl").read_text().splitlines()]
    recalled = [step["recalled"].get("positive", {}) for step in steps if "recalled" in step]
    assert none["value"] == 0
    assert none["sets"] == sum(bool(part.get("recalled")) for part in recalled)
    assert many["sets"] == sum(part.get("selected", 0) > 3 for part in recalled)
    assert found["reachable"] <= found["recalls"]


def test_other_fields_are_embedded_elsewhere_and_change_what_is_near(run):
    names = sorted(str(path) for path in run.rglob("*"))
    found = what_if(run, HashEmbedder(), changes={"only": True, "recall.fields": True})
    assert found["recalls"] == found["reproduced"]
    (fields,) = found["settings"]
    orders = {value["value"]: value["orders"] for value in fields["values"]}
    assert orders.keys() == {"question", "failure", "no_schema"}
    assert orders["question"] and orders["failure"]
    assert sorted(str(path) for path in run.rglob("*")) == names


def test_a_run_by_other_fields_indexes_these_alone_and_is_ranked_again_as_it_was(tmp_path):
    folder = tmp_path / "run"
    start(folder, sample="16", sets=("budget=2", "recall.fields=failure"))
    shelves = {path.name for path in (folder / "index" / "text").iterdir()}
    assert {"positive.failure"} <= shelves <= {"positive.failure", "negative.failure"}
    found = what_if(folder, HashEmbedder(), changes=SMALL)
    assert found["recalls"] == found["reproduced"] > 3


def test_settings_that_need_the_model_are_left_to_a_study(run):
    found = what_if(run, HashEmbedder(), changes={**SMALL, "revise.repeat": True, "budget": True})
    assert [setting["path"] for setting in found["settings"]] == ["recall.fusion", "recall.scope"]


def test_twins_need_the_benchmark(run):
    space = {"only": True, "recall.same_group": True}
    with pytest.raises(InputError, match="benchmark"):
        what_if(run, HashEmbedder(), changes=space)
    with load_benchmark("mini") as mini:
        found = what_if(run, HashEmbedder(), changes=space, benchmark=mini)
    assert found["recalls"] == found["reproduced"]
    assert found["settings"][0]["values"][0]["value"] == "exclude"


def test_it_is_the_same_with_the_benchmark(run):
    with load_benchmark("mini") as mini:
        with_it = what_if(run, HashEmbedder(), changes=SMALL, benchmark=mini)
    assert with_it == what_if(run, HashEmbedder(), changes=SMALL)


def test_cards_are_ranked_with_the_benchmark(tmp_path):
    cards = [
        CardEntry(
            question_id=f"other{number}",
            question=f"How many cities have a population of {number}?",
            db_id=db_id,
            schema_fingerprint="",
            format="verbatim",
            failure_type="",
            key=f"How many cities have a population of {number}?",
            parts=(CardPart("sql", f"SELECT {number}", True),),
        )
        for db_id in load_benchmark("mini").db_ids
        for number in range(8)
    ]
    with Memory(tmp_path / "bank", write=True) as memory:
        memory.append(cards, IMPORTED, {"source": "test"})
    folder = tmp_path / "run"
    start(folder, "cards", sets=(), sample="6", memory=tmp_path / "bank")
    with pytest.raises(InputError, match="cards are recalled for questions"):
        what_if(folder, HashEmbedder())
    with load_benchmark("mini") as mini:
        space = {"only": True, "recall_cards.top_k": [2, 5]}
        found = what_if(folder, HashEmbedder(), changes=space, benchmark=mini)
    assert found["recalls"] == found["reproduced"] == 6
    assert found["settings"][0]["values"] == [{"value": 2, "sets": 6, "orders": 6}]


def test_a_part_that_gave_nothing_is_none(tmp_path):
    folder = tmp_path / "run"
    start(folder, sample="16", sets=("budget=2", "recall.top_k.negative=0"))
    steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
    assert any("negative" in step.get("recalled", {}) for step in steps)
    with Memory(folder / "memory") as memory:
        moments = list(moments_of(folder, {"order": 0}, memory, ["recall"], None))
    assert any(moment.given for moment in moments)
    assert not any("negative" in moment.given for moment in moments)
    found = what_if(folder, HashEmbedder(), changes={**SMALL, "recall.fusion": False})
    assert found["recalls"] == found["reproduced"] == len(moments)


def test_a_benchmark_of_other_questions_or_other_words_is_refused(run):
    with load_benchmark("mini") as mini:
        recalled = [question for question in mini.questions if question.id in recalling(run)]
        rest = mini.select(ids={question.id for question in mini.questions} - {recalled[0].id})
        with pytest.raises(InputError, match=f"lacks the run's question '{recalled[0].id}'"):
            what_if(run, HashEmbedder(), changes=SMALL, benchmark=rest)
        reworded = Benchmark(mini._split, [replace(question, text="Which?") for question in mini.questions])
        with pytest.raises(InputError, match="in other words"):
            what_if(run, HashEmbedder(), changes=SMALL, benchmark=reworded)


def recalling(folder):
    """Ids of the questions of a run that recalled."""
    steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text().splitlines()]
    positions = {step["position"] for step in steps if "recalled" in step}
    return {episode["question_id"] for episode in read_episodes(folder) if episode["position"] in positions}


def test_another_benchmark_is_refused(run):
    class Other:
        name = "spider:dev"

    with pytest.raises(InputError, match="over mini, not over spider:dev"):
        what_if(run, HashEmbedder(), changes=SMALL, benchmark=Other())


def test_steps_that_cannot_be_ranked_again_are_named(run, tmp_path):
    assert what_if(run, HashEmbedder(), changes=SMALL)["not_ranked"] == []
    folder = tmp_path / "run"
    shutil.copytree(run, folder)
    for program, raised in (("merit_notes", False), ("sdam", True)):
        config = json.loads((folder / "config.json").read_text())
        config["program"] = load_program(program).preset.to_data()
        (folder / "config.json").write_text(json.dumps({**config, "parameters": {}}))
        if raised:
            with pytest.raises(InputError, match="recall_rules, which what-if cannot rank"):
                what_if(folder, HashEmbedder(), changes=SMALL)
        else:
            found = what_if(folder, HashEmbedder(), changes=SMALL)
            assert found["not_ranked"] == ["recall_notes"]
            assert any("recall_notes" in line for line in found["words"])


def test_another_embedder_and_no_run_are_refused(run, tmp_path):
    with pytest.raises(InputError, match="embedder"):
        what_if(run, HashEmbedder(dim=32))
    with pytest.raises(InputError, match="holds no run"):
        what_if(tmp_path, HashEmbedder())


def test_a_run_without_memory_has_no_recalls(tmp_path):
    start(tmp_path / "run", "iterative", sample="4")
    with pytest.raises(InputError):
        what_if(tmp_path / "run", HashEmbedder())
