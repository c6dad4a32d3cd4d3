"""Cards as entries of a memory, and the view that replay opens."""

import json
from dataclasses import replace

import pytest

from sqlmend.errors import InputError
from sqlmend.memory import CardEntry, CardPart, Memory

CARD = CardEntry(
    question_id="q1",
    question="Which cities are in Peru?",
    db_id="world",
    schema_fingerprint="sha256:0",
    format="verbatim",
    failure_type="result_mismatch",
    key="Which cities are in Peru?",
    parts=(CardPart("corrected query", "SELECT name FROM city", code=True), CardPart("note", "join country")),
)


def test_an_entry_survives_its_line_and_its_log(tmp_path):
    assert CardEntry.from_dict(json.loads(json.dumps(CARD.to_dict()))) == CARD
    with Memory(tmp_path / "memory", write=True) as memory:
        memory.append([CARD], 0, {})
    (record,) = Memory(tmp_path / "memory").records("cards")
    assert record.entry == CARD


def test_another_content_is_another_id():
    assert replace(CARD, parts=CARD.parts[:1]).id != CARD.id
    assert replace(CARD, key="Which?").id != CARD.id
    assert CardEntry.from_dict(CARD.to_dict()).id == CARD.id


PART = CARD.to_dict()["parts"][0]


@pytest.mark.parametrize(
    "change",
    [
        {"parts": []},
        {"parts": "SELECT 1"},
        {"parts": [{}]},
        {"parts": [{**PART, "code": "yes"}]},
        {"parts": [{**PART, "text": None}]},
        {"parts": [{**PART, "rows": []}]},
        {"key": None},
        {"reference": "SELECT 1"},
    ],
)
def test_anything_else_is_refused(change):
    with pytest.raises(InputError):
        CardEntry.from_dict({**CARD.to_dict(), **change})


def test_a_view_opened_for_replay_has_the_own_card_and_still_none_of_the_future(tmp_path):
    later = replace(CARD, question_id="q2", question="Which rivers?")
    with Memory(tmp_path / "memory", write=True) as memory:
        memory.append([CARD], 0, {})
        memory.append([later], 5, {})
        view = memory.view(3, question_id="q1", question=CARD.question, db_id="world", twins={"q1", "q7"})
    assert view.pool("cards") == ()
    opened = view.with_own()
    assert [record.entry for record in opened.pool("cards")] == [CARD]
    assert opened.pool("cards", same_group="exclude") == ()
    assert view.pool("cards") == (), "the view itself stays closed"
