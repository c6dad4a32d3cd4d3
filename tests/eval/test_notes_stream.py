"""Failure notes in a causal stream: recalled from the past alone, and reproducible to the byte."""

from __future__ import annotations

import json

import pytest

from sqlmend.errors import SqlmendError
from tests.eval.runs import episodes, reproducible, start
from tests.simulator import answer


def notes(folder):
    lines = (folder / "memory" / "notes.jsonl").read_text("utf-8").splitlines()
    return {line["id"]: line for line in map(json.loads, lines)}


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("notes") / "run"
    start(folder, "merit_notes", sample="48")
    return folder


def test_notes_are_of_earlier_questions_and_hold_no_time(whole):
    kept = notes(whole)
    assert len(kept) > 20
    assert all("at" not in line["entry"] for line in kept.values())
    told = [
        (episode, kept[key])
        for episode in episodes(whole)
        for attempt in episode["attempts"]
        for key in attempt["recalled"]
        if key in kept
    ]
    assert told
    for episode, line in told:
        assert line["position"] < episode["position"]
        assert line["entry"]["question_id"] != episode["question_id"]
        assert line["entry"]["db_id"] == episode["db_id"]


def test_a_stopped_run_ends_with_the_same_bytes(whole, tmp_path):
    calls = 0

    def fails_once(prompt):
        nonlocal calls
        calls += 1
        if calls == 50:
            raise SqlmendError("lm_unreachable", "the server is gone")
        return answer(prompt)

    fails_once.__code__ = fails_once.__code__.replace(co_filename=answer.__code__.co_filename)
    with pytest.raises(SqlmendError, match="gone"):
        start(tmp_path / "part", "merit_notes", sample="48", memo=tmp_path / "memo", reply=fails_once)
    start(tmp_path / "part", "merit_notes", sample="48", memo=tmp_path / "memo", resume=True)
    one, other = reproducible(tmp_path / "part"), reproducible(whole)
    assert one.pop("summary.json") and other.pop("summary.json")  # calls paid differ: one has a memo
    assert one == other
