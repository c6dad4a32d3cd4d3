"""Rules of earlier questions: anchored in the current schema, nearest first, never of the future."""

import pytest

from sqlmend.memory import Memory, Rule, RuleEntry
from sqlmend.modules import RULE_SETTINGS, RecallRules
from sqlmend.retrievers import HybridRetriever, MemoryIndex, PoolSettings
from sqlmend.testing import HashEmbedder


def entry(number, correction, *anchors, db_id="world"):
    rule = Rule("domain" if anchors else "", "", "", correction, anchors)
    return RuleEntry(f"q{number}", f"question {number}", db_id, "sha256:0", "schema/value", rule)


ENTRIES = [
    entry(0, "the area of a city is in square kilometres", "city.area"),
    entry(1, "codes of countries have two letters", "country.code"),
    entry(2, "the area of a moon", "moon.area"),
    entry(3, "a free lesson on the area of cities"),
    entry(4, "the name of a country", "country.name"),
]


@pytest.fixture
def recall(tmp_path, database):
    with Memory(tmp_path / "memory", write=True) as memory:
        for position, item in enumerate(ENTRIES):
            memory.append([item], position, {})
        with MemoryIndex(memory, tmp_path / "index", HashEmbedder()) as index:

            def recalled(position=9, question_id="q9", bound=True, **settings):
                view = memory.view(position, question_id=question_id, question="x", db_id="world")
                module = RecallRules(PoolSettings(**{**vars(RULE_SETTINGS), **settings}), bound)
                found = module(
                    question="the area of a city",
                    schema=database.schema(),
                    memory=view,
                    retriever=HybridRetriever(index),
                )
                return [ENTRIES.index(scored.record.entry) for scored in found.ranked], found.pool

            yield recalled


def test_only_rules_whose_anchors_are_in_the_schema(recall):
    found, pool = recall()
    assert found[0] == 0
    assert sorted(found) == [0, 1, 4]
    assert (pool.legal, pool.selected) == (5, 3)


def test_at_most_the_top_k(recall):
    assert recall(top_k=1)[0] == [0]
    assert recall(top_k=0)[0] == []


def test_unbound_recalls_lessons_too(recall):
    assert set(recall(bound=False)[0]) == {0, 1, 2, 3, 4}


def test_neither_the_future_nor_the_question_itself(recall):
    assert recall(position=1)[0] == [0]
    assert 0 not in recall(question_id="q0")[0]
