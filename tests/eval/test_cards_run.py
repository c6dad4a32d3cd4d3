"""A run of the solver with cards: what each question recalled, from a bank that it starts with."""

import json

import pytest

from sqlmend.eval import load_benchmark
from sqlmend.memory import Memory
from tests.eval.runs import episodes, start
from tests.modules.cards import card


@pytest.fixture(scope="module")
def clinic():
    with load_benchmark("mini").select(databases=["clinic"], limit=6) as chosen:
        yield chosen


@pytest.fixture(scope="module")
def bank(tmp_path_factory, clinic):
    """A card of each question, which says nothing of its reference, and one of another database."""
    folder = tmp_path_factory.mktemp("bank") / "bank"
    cards = [card(q.text, "SELECT 1", question_id=q.id, db_id=q.db_id) for q in clinic.questions]
    with Memory(folder, write=True) as memory:
        memory.append([*cards, card("Which shops?", question_id="s", db_id="web_shop")], -1, {})
    return folder


def recalls(folder):
    """Question ids of the cards that each question's recall gave, by question id, from the step log."""
    with Memory(folder / "memory") as memory:
        sources = {record.id: record.entry.question_id for record in memory.records("cards")}
    steps = [json.loads(line) for line in (folder / "steps.jsonl").read_text("utf-8").splitlines()]
    return {
        step["question_id"]: [sources[one["id"]] for one in step["recalled"]["card"]["recalled"]]
        for step in steps
        if step.get("step") == "recall_cards"
    }


def test_retention_hides_the_own_card_and_replay_shows_it_first(tmp_path, clinic, bank):
    ids = {question.id for question in clinic.questions}
    start(tmp_path / "kept", "cards", sets=(), benchmark=clinic, memory=bank)
    kept = recalls(tmp_path / "kept")
    assert kept.keys() == ids
    assert all(set(found) == ids - {asked} for asked, found in kept.items())
    for record in episodes(tmp_path / "kept"):
        (attempt,) = record["attempts"]
        assert len(attempt["recalled"]) == 5
        assert record["committed"] == []
    start(tmp_path / "replay", "cards", sets=("recall_cards.own=allow",), benchmark=clinic, memory=bank)
    replayed = recalls(tmp_path / "replay")
    assert all(found[0] == asked for asked, found in replayed.items())


def test_a_random_bank_is_another_with_each_seed_and_the_same_with_the_same(tmp_path, clinic, bank):
    found = []
    for name, seed in (("a", 42), ("b", 7), ("c", 42)):
        sets = ("recall_cards.ranking=random", "recall_cards.top_k=2", f"recall_cards.seed={seed}")
        start(tmp_path / name, "cards", sets=sets, benchmark=clinic, memory=bank)
        found.append(recalls(tmp_path / name))
    assert found[0] == found[2] != found[1]
