from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from sqlmend.errors import InputError
from sqlmend.memory import Execution, Memory, MemoryView, ReflectionEntry, RepairEntry
from sqlmend.retrievers import (
    HashEmbedder,
    HybridRetriever,
    MemoryIndex,
    PoolSettings,
    RecallQuery,
    RecallSettings,
)
from sqlmend.retrievers._bm25 import Bm25, tokenize
from sqlmend.retrievers._embedders import Vectors
from sqlmend.retrievers._hybrid import min_max
from sqlmend.retrievers._texts import QUERY_TEXTS, entry_texts
from sqlmend.testing import repair_entry

QUERY = RecallQuery(
    "How many pets are there?",
    "SELECT count(*) FROM pet",
    "unknown_table: no such table: pet",
    "schema_linking",
)
WORDS = ["pets", "name", "count", "schema", "no such column", "there", "x"]
ENTRIES = st.lists(
    st.builds(
        lambda i, words, kind, polarity: repair_entry(
            question_id=str(i), question=" ".join(words), failure_type=kind, polarity=polarity
        ),
        st.integers(100, 140),
        st.lists(st.sampled_from(WORDS), max_size=4),
        st.sampled_from(["schema_linking", "syntax", "unknown"]),
        st.sampled_from(["positive", "positive", "negative"]),
    ),
    max_size=10,
    unique_by=lambda entry: entry.id,
)
SETTINGS = st.builds(
    RecallSettings,
    dense=st.floats(0.1, 1),
    lexical=st.floats(0, 1),
    top_k_positive=st.integers(0, 5),
    top_k_negative=st.integers(0, 2),
    type_policy=st.sampled_from(["hard", "off", "reliability"]),
    reliable_types=st.lists(st.sampled_from(["schema_linking", "syntax"]), unique=True),
    type_bonus=st.floats(0, 1),
    min_same_type=st.integers(1, 4),
    fields=st.sampled_from(["all", "question", "failure", "no_schema"]),
)
relaxed = settings(deadline=None, max_examples=25, suppress_health_check=[HealthCheck.too_slow])


@contextmanager
def filled(entries: Sequence[RepairEntry], embedder: Any = None) -> Iterator[tuple[HybridRetriever, Memory]]:
    """A memory with one entry at each position, and its retriever; nothing is written to the index."""
    with tempfile.TemporaryDirectory() as folder, Memory(Path(folder) / "memory", write=True) as memory:
        for position, entry in enumerate(entries):
            memory.append([entry], position, {})
        yield HybridRetriever(MemoryIndex(memory, Path(folder) / "index", embedder or HashEmbedder())), memory


def rank(
    retriever: HybridRetriever, query: RecallQuery, seen: MemoryView, kind: str, how: RecallSettings
) -> tuple[Any, ...]:
    """The whole selected pool of a kind, best first."""
    return retriever.best(query, seen, (kind,), how, None)[0]


def view(memory: Memory, position: int = 1000) -> MemoryView:
    return memory.view(position, question_id="q", question="other", db_id="pets_1")


def ids(ranked: Sequence[Any]) -> list[str]:
    return [scored.record.id for scored in ranked]


@relaxed
@given(ENTRIES, SETTINGS)
def test_a_rank_is_what_the_formulas_say(entries: list[RepairEntry], how: RecallSettings) -> None:
    with filled(entries) as (retriever, memory):
        ranked = rank(retriever, QUERY, view(memory), "positive", how)
    legal = [entry for entry in entries if entry.polarity == "positive"]
    same = [entry for entry in legal if entry.failure_type == QUERY.failure_type]
    filters = how.type_policy == "hard" or (
        how.type_policy == "reliability" and QUERY.failure_type in how.reliable_types
    )
    bonus = how.type_bonus if how.type_policy == "reliability" and not filters else 0.0
    pool = same if filters and len(same) >= how.min_same_type else legal
    assert sorted(ids(ranked)) == sorted(entry.id for entry in pool)
    if not pool:
        return
    text, texts = QUERY_TEXTS[how.fields](QUERY), entry_texts("positive", how.fields)
    similarity = HashEmbedder().embed([texts.dense(e) for e in pool]) @ HashEmbedder().embed([text])[0]
    index = Bm25()
    for entry in pool:
        index.add(tokenize(texts.lexical(entry)))
    bm25 = index.scores(tokenize(text), np.arange(len(pool)))
    for scored in ranked:
        i = [entry.id for entry in pool].index(scored.record.id)
        assert scored.similarity == pytest.approx(similarity[i], abs=1e-6)
        assert scored.bm25 == pytest.approx(bm25[i], abs=1e-9)
        expected = how.dense * scored.dense + how.lexical * scored.lexical + bonus * scored.type_match
        assert scored.score == pytest.approx(expected, abs=1e-12)
        assert 0 <= scored.dense <= 1 and 0 <= scored.lexical <= 1
        assert scored.type_match == (scored.record.entry.failure_type == QUERY.failure_type)
    typed = how.type_policy != "off"
    keys = [
        (-s.score, -s.dense, -s.lexical if how.lexical else 0, typed and not s.type_match, s.record.id)
        for s in ranked
    ]
    assert keys == sorted(keys)


@relaxed
@given(ENTRIES, SETTINGS, st.randoms())
def test_the_order_of_the_memory_changes_nothing(
    entries: list[RepairEntry], how: RecallSettings, random: Any
) -> None:
    shuffled = random.sample(entries, len(entries))
    ranks = []
    for order in (entries, shuffled):
        with filled(order) as (retriever, memory):
            ranked = rank(retriever, QUERY, view(memory), "positive", how)
            ranks.append([scored.to_dict() | {"exact": scored.score} for scored in ranked])
    assert ranks[0] == ranks[1]


@relaxed
@given(ENTRIES, SETTINGS)
def test_recall_is_the_head_of_the_rank(entries: list[RepairEntry], how: RecallSettings) -> None:
    with filled(entries) as (retriever, memory):
        recalled = retriever.recall(QUERY, view(memory), how)
        for polarity, found, pool, top_k in (
            ("positive", recalled.positives, recalled.positive_pool, how.top_k_positive),
            ("negative", recalled.negatives, recalled.negative_pool, how.top_k_negative),
        ):
            ranked = rank(retriever, QUERY, view(memory), polarity, how)
            assert found == ranked[:top_k]
            assert pool.selected == (len(ranked) if top_k else 0)
            assert pool.legal == sum(entry.polarity == polarity for entry in entries)


@relaxed
@given(ENTRIES, SETTINGS, st.integers(0, 10), st.data())
def test_the_future_of_the_stream_changes_nothing(
    entries: list[RepairEntry], how: RecallSettings, position: int, data: st.DataObject
) -> None:
    past, future = entries[:position], data.draw(st.permutations(entries[position:]))
    with filled(entries) as (retriever, memory), filled([*past, *future]) as (other_retriever, other):
        seen = retriever.recall(QUERY, view(memory, position), how)
        assert seen == other_retriever.recall(QUERY, view(other, position), how)
        assert set(ids(seen.positives) + ids(seen.negatives)) <= {entry.id for entry in past}


@pytest.mark.parametrize(
    ("how", "by"), [({"dense": 1, "lexical": 0}, "similarity"), ({"dense": 0, "lexical": 1}, "bm25")]
)
def test_a_weight_of_one_ranks_by_that_score_alone(how: dict[str, float], by: str) -> None:
    entries = [repair_entry(question_id=str(i), question=" ".join(WORDS[: i % 5] * i)) for i in range(20)]
    with filled(entries) as (retriever, memory):
        ranked = rank(retriever, QUERY, view(memory), "positive", RecallSettings(**how))
    values = [getattr(scored, by) for scored in ranked]
    assert values == sorted(values, reverse=True) and len(set(values)) > 3


class Fixed:
    """Vectors by question: the query's is the first axis."""

    name, dim = "fixed", 2

    def __init__(self, **similarity: float) -> None:
        self.similarity = similarity

    def embed(self, texts: Sequence[str]) -> Vectors:
        found = [self.similarity.get(text.split("\n")[0], 1.0) for text in texts]
        return np.array([(x, (1 - x * x) ** 0.5) for x in found], dtype=np.float32)


def test_ties_end_with_the_id() -> None:
    entries = [
        repair_entry(question_id=str(i), question=question, failure_type=kind)
        for i, (question, kind) in enumerate(
            [
                ("low", "syntax"),
                ("mid", "syntax"),
                ("mid", "schema_linking"),
                ("mid", "syntax"),
                ("high", "syntax"),
            ]
        )
    ]
    query = RecallQuery("zzz", "", "", "zzz")  # no token of it is in an entry
    how = RecallSettings(type_policy="off")
    with filled(entries, Fixed(low=0.1, mid=0.5, high=0.9)) as (retriever, memory):
        ranked = rank(retriever, query, view(memory), "positive", how)
    assert [scored.lexical for scored in ranked] == [0] * 5
    middle = sorted(entry.id for entry in entries[1:4])
    assert ids(ranked) == [entries[4].id, *middle, entries[0].id]


@pytest.mark.parametrize("policy", ["hard", "reliability", "off"])
def test_type_match_breaks_a_tie_unless_types_are_off(policy: str) -> None:
    kinds = ["schema_linking", "syntax", "aggregation", "execution"]
    entries = [repair_entry(question_id=str(i), failure_type=kind) for i, kind in enumerate(kinds)]
    last = max(entries, key=lambda entry: entry.id)
    query = RecallQuery("zzz", "", "", last.failure_type)
    how = RecallSettings(lexical=0, dense=1, type_policy=policy, type_bonus=0)
    with filled(entries, Fixed()) as (retriever, memory):
        ranked = rank(retriever, query, view(memory), "positive", how)
    assert all(scored.dense == 0 for scored in ranked)
    by_id = sorted(entry.id for entry in entries)
    assert ids(ranked) == (by_id if policy == "off" else [last.id, *by_id[:-1]])


def test_the_numbers_are_min_max_normalised() -> None:
    entries = [
        repair_entry(question_id=str(i), question=name) for i, name in enumerate(["low", "mid", "high"])
    ]
    with filled(entries, Fixed(low=0.2, mid=0.4, high=0.6)) as (retriever, memory):
        ranked = rank(
            retriever, RecallQuery("zzz", "", "", "zzz"), view(memory), "positive", RecallSettings()
        )
    assert [scored.record.entry.question for scored in ranked] == ["high", "mid", "low"]
    assert [scored.score for scored in ranked] == pytest.approx([0.75, 0.375, 0])


@pytest.mark.parametrize("count", [2, 3])
def test_hard_keeps_to_three_of_the_type_in_that_polarity(count: int) -> None:
    entries = [
        *(repair_entry(question_id=f"p{i}", failure_type="schema_linking") for i in range(count)),
        repair_entry(question_id="other", failure_type="syntax"),
        *(repair_entry(question_id=f"n{i}", polarity="negative", failure_type="syntax") for i in range(3)),
    ]
    with filled(entries) as (retriever, memory):
        recalled = retriever.recall(QUERY, view(memory), RecallSettings(top_k_positive=9))
    assert recalled.positive_pool.selected == 3
    assert {s.record.entry.failure_type for s in recalled.positives} == (
        {"schema_linking"} if count == 3 else {"schema_linking", "syntax"}
    )
    assert (recalled.negative_pool.legal, recalled.negative_pool.selected, len(recalled.negatives)) == (
        3,
        3,
        1,
    )


def test_scope_and_twins_reach_the_view() -> None:
    entries = [
        repair_entry(question_id="t"),
        repair_entry(question_id="u"),
        repair_entry(question_id="v", db_id="cars"),
    ]
    with filled(entries) as (retriever, memory):
        seen = memory.view(9, question_id="q", question="other", db_id="pets_1", twins=frozenset({"q", "t"}))
        for change, expected in (
            ({}, "tuv"),
            ({"scope": "same_database"}, "tu"),
            ({"scope": "other_databases"}, "v"),
            ({"same_group": "exclude"}, "uv"),
        ):
            ranked = rank(retriever, QUERY, seen, "positive", RecallSettings(**change))
            assert sorted(scored.record.entry.question_id for scored in ranked) == list(expected)


def test_nothing_is_embedded_for_an_empty_memory_or_a_top_k_of_zero() -> None:
    class Never(HashEmbedder):
        def embed(self, texts: Sequence[str]) -> Vectors:
            raise AssertionError("embedded")

    with filled([], Never()) as (retriever, memory):
        recalled = retriever.recall(QUERY, view(memory), RecallSettings())
        assert (recalled.positives, recalled.negatives) == ((), ())
    none = RecallSettings(top_k_positive=0, top_k_negative=0)
    with filled([repair_entry()], Never()) as (retriever, memory):
        assert retriever.recall(QUERY, view(memory), none).positives == ()


def test_what_was_recalled_explains_itself() -> None:
    with filled([repair_entry()]) as (retriever, memory):
        logged = retriever.recall(QUERY, view(memory), RecallSettings()).to_dict()
    assert logged.keys() == {"positive"}, "what has no pool is left out"
    (positive,) = logged["positive"]["recalled"]
    assert positive["id"] == repair_entry().id
    assert positive.keys() == {"id", "score", "dense", "lexical", "similarity", "bm25", "type_match"}
    assert positive["score"] == 0 and positive["similarity"] > 0.5 and positive["type_match"] is True
    assert (logged["positive"]["legal"], logged["positive"]["selected"]) == (1, 1)


def test_scores_are_the_same_from_disk(memory: Memory, tmp_path: Path) -> None:
    for position in range(12):
        memory.append(
            [repair_entry(question_id=str(position), question=f"question {position}")], position, {}
        )
    ranks = []
    for _ in range(2):
        with MemoryIndex(memory, tmp_path / "index", HashEmbedder()) as index:
            ranks.append(rank(HybridRetriever(index), QUERY, view(memory), "positive", RecallSettings()))
    assert ranks[0] == ranks[1]


@given(st.lists(st.floats(-1e6, 1e6), min_size=1))
def test_min_max(values: list[float]) -> None:
    scaled = min_max(np.array(values))
    assert ((scaled >= 0) & (scaled <= 1)).all()
    if max(values) > min(values):
        assert scaled[np.argmax(values)] == 1 and scaled[np.argmin(values)] == 0
    else:
        assert not scaled.any()


def test_one_pool_of_several_kinds_has_one_ranking() -> None:
    entries = [
        repair_entry(
            question_id=str(i), question=" ".join(WORDS[: i % 5]), polarity=("positive", "negative")[i % 2]
        )
        for i in range(8)
    ]
    how = PoolSettings(top_k=4)
    with filled(entries) as (retriever, memory):
        ranked, pool = retriever.best(QUERY, view(memory), ("positive", "negative"), how, how.top_k)
        alone = [
            rank(retriever, QUERY, view(memory), kind, RecallSettings()) for kind in ("positive", "negative")
        ]
    assert (pool.legal, pool.selected, len(ranked)) == (8, 8, 4)
    similarity = {s.record.id: s.similarity for part in alone for s in part}
    assert {s.record.id: s.similarity for s in ranked}.items() <= similarity.items()
    assert {s.record.kind for s in ranked} == {"positive", "negative"}


@pytest.mark.parametrize("fields", ["all", "question", "failure", "no_schema"])
def test_one_pool_does_not_tell_the_polarities_apart(fields: str) -> None:
    """Of two entries that are alike but for their polarity, neither is nearer than the other."""
    step = {
        "before": Execution("SELECT nme", "unknown_column"),
        "after": Execution("SELECT pets", "mismatch"),
    }
    entries = [
        repair_entry(question_id="1", polarity=polarity, **step) for polarity in ("positive", "negative")
    ]
    entries += [repair_entry(question_id=str(i), question=WORDS[i]) for i in range(2, 6)]
    query = replace(QUERY, sql="SELECT pets")
    how = PoolSettings(fields=fields)
    with filled(entries) as (retriever, memory):
        ranked, _ = retriever.best(query, view(memory), ("positive", "negative"), how, None)
        alone = rank(retriever, query, view(memory), "positive", RecallSettings(fields=fields))
    scores = {s.record.id: (s.score, s.dense, s.lexical, s.similarity, s.bm25) for s in ranked}
    assert scores[entries[0].id] == scores[entries[1].id]
    assert len(alone) == 5, "the pool of a polarity stays as it is, whatever was asked before"


def test_a_score_without_weight_breaks_no_tie() -> None:
    entries = [
        repair_entry(question_id=str(i), question=name) for i, name in enumerate(["low", "mid", "high"])
    ]
    query = RecallQuery("zzz", "", "", "zzz")  # no token of it is in an entry
    with filled(entries, Fixed(low=0.1, mid=0.5, high=0.9)) as (retriever, memory):
        ranked = rank(retriever, query, view(memory), "positive", RecallSettings(dense=0, type_policy="off"))
    assert ids(ranked) == sorted(entry.id for entry in entries)


def test_a_random_ranking_hangs_on_the_draw_and_keeps_to_the_selected_pool() -> None:
    entries = [
        repair_entry(question_id=str(i), question=f"q {i}", failure_type=("schema_linking", "syntax")[i % 2])
        for i in range(12)
    ]
    how = RecallSettings(ranking="random")
    with filled(entries) as (retriever, memory):
        draws = [
            ids(rank(retriever, replace(QUERY, draw=draw), view(memory), "positive", how))
            for draw in ("order0:q:1", "order0:q:1", "order1:q:1", "order0:q:2")
        ]
        hybrid = ids(rank(retriever, QUERY, view(memory), "positive", RecallSettings()))
    assert draws[0] == draws[1]
    assert len({tuple(draw) for draw in draws}) == 3
    assert all(set(draw) == set(hybrid) for draw in draws)


def test_reflections_are_recalled_like_repairs() -> None:
    told = ReflectionEntry(
        "1", "How many pets?", "pets_1", Execution("SELECT 1", "mismatch"), "syntax", "look"
    )
    with filled([repair_entry(question_id="2"), told]) as (retriever, memory):
        ranked, pool = retriever.best(QUERY, view(memory), ("reflections",), PoolSettings(), 4)
    assert ids(ranked) == [told.id]
    assert (pool.legal, ranked[0].record.entry.text) == (1, "look")


def test_fields_decide_what_is_alike() -> None:
    same_question = repair_entry(
        question_id="1", question=QUERY.question, before=Execution("VALUES (7)", "denied")
    )
    same_failure = repair_entry(
        question_id="2",
        question="Which singers are French?",
        before=Execution(QUERY.sql, "unknown_table", "no such table: pet"),
    )
    first = {}
    with filled([same_question, same_failure]) as (retriever, memory):
        for fields in ("question", "failure"):
            how = RecallSettings(fields=fields, type_policy="off")
            first[fields] = ids(rank(retriever, QUERY, view(memory), "positive", how))[0]
    assert first == {"question": same_question.id, "failure": same_failure.id}


def test_choices_of_one_memory_do_not_mix() -> None:
    """Whatever was asked before, a choice ranks as it does alone."""
    entries = [repair_entry(question_id=str(i), question=" ".join(WORDS[: i % 5])) for i in range(8)]
    choices = ("all", "question", "failure", "no_schema", "question", "all")

    def ranked(retriever: HybridRetriever, memory: Memory, fields: str) -> tuple[Any, ...]:
        return rank(retriever, QUERY, view(memory), "positive", RecallSettings(fields=fields))

    with filled(entries) as (retriever, memory):
        together = [ranked(retriever, memory, fields) for fields in choices]
    for fields, found in zip(choices, together, strict=True):
        with filled(entries) as (retriever, memory):
            assert ranked(retriever, memory, fields) == found


def test_a_choice_that_a_kind_has_not_is_refused_and_named() -> None:
    told = ReflectionEntry("1", "?", "pets_1", Execution("SELECT 1", "mismatch"), "syntax", "look")
    with filled([told]) as (retriever, memory):
        for kind, fields in (("reflections", "no_schema"), ("rules", "question"), ("cards", "failure")):
            with pytest.raises(InputError, match=f"{kind} cannot be searched by fields '{fields}'"):
                retriever.best(QUERY, view(memory), (kind,), PoolSettings(fields=fields), 4)
        with pytest.raises(InputError, match="notes"):
            retriever.best(QUERY, view(memory), ("notes",), PoolSettings(), 4)
