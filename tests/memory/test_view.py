from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.errors import InputError
from sqlmend.memory import MemoryView, Record
from sqlmend.testing import repair_entry

QUESTIONS = ["How many pets?", "how  MANY pets?", "Which pets?", ""]
DATABASES = ["pets_1", "museum"]
IDS = ["0", "1", "2"]

records = st.lists(
    st.builds(
        lambda position, question_id, question, db_id, delta: Record.of(
            repair_entry(question_id=question_id, question=question, db_id=db_id, delta=delta), position, {}
        ),
        st.integers(-1, 4),
        st.sampled_from(IDS),
        st.sampled_from(QUESTIONS),
        st.sampled_from(DATABASES),
        st.sampled_from("ab"),
    ),
    unique_by=lambda record: record.id,
)
asked = st.fixed_dictionaries(
    {
        "question_id": st.sampled_from(IDS),
        "question": st.sampled_from(QUESTIONS),
        "db_id": st.sampled_from(DATABASES),
        "twins": st.frozensets(st.sampled_from(IDS)),
    }
)


def view_of(kept: list[Record], position: int, question: dict[str, object]) -> MemoryView:
    ordered = sorted(kept, key=lambda record: (record.position, record.id))
    return MemoryView({"positive": tuple(ordered)}, position, **question)  # type: ignore[arg-type]


@given(records, asked, st.integers(0, 5))
def test_what_is_seen_is_earlier_and_from_another_question(kept, question, position) -> None:
    view = view_of(kept, position, question)
    pool = view.pool("positive")
    assert len(view) == len(pool)
    assert list(pool) == sorted(pool, key=lambda record: (record.position, record.id))
    for record in kept:
        entry = record.entry
        same_database = entry.db_id == question["db_id"]
        same_text = entry.question.lower().split() == question["question"].lower().split()
        same = same_database and (entry.question_id == question["question_id"] or same_text)
        assert (record in pool) == (record.position < position and not same)


@given(records, asked)
def test_scopes_divide_the_pool(kept, question) -> None:
    view = view_of(kept, 5, question)
    here = view.pool("positive", scope="same_database")
    elsewhere = view.pool("positive", scope="other_databases")
    assert {record.entry.db_id for record in here} <= {question["db_id"]}
    assert question["db_id"] not in {record.entry.db_id for record in elsewhere}
    assert sorted([*here, *elsewhere], key=lambda r: (r.position, r.id)) == list(view.pool("positive"))


@given(records, asked)
def test_exclude_drops_the_group_and_nothing_else(kept, question) -> None:
    view = view_of(kept, 5, question)
    left = view.pool("positive", same_group="exclude")
    for record in view.pool("positive"):
        of_group = record.entry.db_id == question["db_id"] and record.entry.question_id in question["twins"]
        assert (record in left) != of_group


@given(records, records, asked, st.integers(0, 5))
def test_the_future_changes_nothing(kept, future, question, position) -> None:
    later = [Record.of(record.entry, position + 1, {}) for record in future]
    present = {record.id for record in kept}
    with_future = kept + [record for record in later if record.id not in present]
    for same_group in ("allow", "exclude"):
        assert view_of(with_future, position, question).pool("positive", same_group=same_group) == view_of(
            kept, position, question
        ).pool("positive", same_group=same_group)


def test_an_equal_id_on_another_database_is_another_question() -> None:
    """Ids are unique within a benchmark only, and an imported memory may come from another."""
    imported = Record.of(repair_entry(question_id="7", db_id="other", question="X"), -1, {})
    view = view_of(
        [imported], 0, {"question_id": "7", "question": "X", "db_id": "mine", "twins": frozenset({"7"})}
    )
    assert view.pool("positive", same_group="exclude") == (imported,)


def test_a_pool_is_made_once() -> None:
    view = view_of([], 0, {"question_id": "7", "question": "X", "db_id": "mine"})
    assert view.pool("positive", scope="same_database") is view.pool("positive", scope="same_database")


@pytest.mark.parametrize(
    ("arguments", "hint"),
    [
        ({"kind": "positiv"}, "did you mean positive"),
        ({"kind": "positive", "scope": "same_databse"}, "did you mean same_database"),
        ({"kind": "positive", "same_group": "excluded"}, "did you mean exclude"),
    ],
)
def test_unknown_names_are_refused_with_near_ones(arguments, hint) -> None:
    view = view_of([], 0, {"question_id": "7", "question": "X", "db_id": "mine"})
    with pytest.raises(InputError) as caught:
        view.pool(**arguments)
    assert hint in str(caught.value.hint)
