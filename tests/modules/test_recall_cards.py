"""Cards of earlier questions: nearest in question first, the question's own for replay alone."""

from dataclasses import replace

import pytest

from sqlmend.memory import Memory
from sqlmend.modules import CARD_SETTINGS, RecallCards
from sqlmend.retrievers import HybridRetriever, MemoryIndex
from sqlmend.testing import HashEmbedder
from tests.modules.cards import card

ENTRIES = [
    card("the area of a city", "SELECT area", question_id="q0"),
    card("the code of a country", "SELECT code", question_id="q1"),
    card("the area of a moon", "SELECT moon", question_id="q2", db_id="space"),
    card("the name of a river", "SELECT river", question_id="q3", key="area of what city, SELECT river"),
]


@pytest.fixture(scope="module")
def recall(tmp_path_factory):
    folder = tmp_path_factory.mktemp("cards")
    with Memory(folder / "memory", write=True) as memory:
        for position, entry in enumerate(ENTRIES):
            memory.append([entry], position, {})
        with MemoryIndex(memory, folder / "index", HashEmbedder()) as index:

            def recalled(question="the area of a city", own="exclude", draw="", **asked):
                fields = {"position": 9, "question_id": "q9", "twins": frozenset(), **asked}
                settings = {name: fields.pop(name) for name in (*vars(CARD_SETTINGS),) if name in fields}
                view = memory.view(fields.pop("position"), question="x", db_id="world", **fields)
                module = RecallCards(replace(CARD_SETTINGS, **settings), own)
                found = module(question, view, HybridRetriever(index), draw)
                return [ENTRIES.index(scored.record.entry) for scored in found.ranked], found.pool

            yield recalled


def test_the_nearest_key_of_the_same_database_comes_first(recall):
    found, pool = recall()
    assert found[0] == 0
    assert sorted(found) == [0, 1, 3]
    assert (pool.legal, pool.selected) == (3, 3)
    assert recall("area of what city, SELECT river")[0][0] == 3


def test_the_question_alone_is_searched_for(recall):
    nearest = recall(top_k=1)[0]
    assert nearest == [0]
    assert recall(top_k=0)[0] == []


def test_of_other_databases_where_it_is_told_to(recall):
    assert recall(scope="other_databases")[0] == [2]
    assert sorted(recall(scope="any")[0]) == [0, 1, 2, 3]


def test_neither_the_future_nor_a_twin(recall):
    assert recall(position=1)[0] == [0]
    assert 0 not in recall(same_group="exclude", twins=frozenset({"q0", "q9"}))[0]


def test_the_own_card_is_recalled_for_replay_alone(recall):
    assert 0 not in recall(question_id="q0")[0]
    assert recall(question_id="q0", own="allow")[0][0] == 0
    assert recall(question_id="q3", own="allow", position=1)[0] == [0], "the future stays hidden"


def test_a_random_ranking_hangs_on_the_draw(recall):
    orders = {tuple(recall(ranking="random", draw=f"order0:q9:{seed}")[0]) for seed in range(12)}
    assert len(orders) > 1
    assert recall(ranking="random", draw="a") == recall("something else", ranking="random", draw="a")
