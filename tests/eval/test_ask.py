"""One question of a user's own database: what is kept of it without a person's verdict."""

from __future__ import annotations

import sqlite3

import pytest

from sqlmend.databases import open_database
from sqlmend.eval import answer
from sqlmend.memory import KINDS, Memory
from sqlmend.programs import load_program
from sqlmend.testing import HashEmbedder, scripted_lm


@pytest.fixture
def city(tmp_path):
    connection = sqlite3.connect(tmp_path / "geo.sqlite")
    connection.execute("CREATE TABLE city (name TEXT, note TEXT)")
    connection.execute("INSERT INTO city VALUES ('Lima', 'x')")
    connection.commit()
    connection.close()
    with open_database(tmp_path / "geo.sqlite") as opened:
        yield opened


def refused_at_first(prompts):
    def reply(prompt):
        prompts.append(prompt)
        columns = "name, note" if "<history>" in prompt else "title, name, note"
        return f"<answer>SELECT {columns} FROM city WHERE name = 'Lima' AND note IS NOT NULL</answer>"

    return scripted_lm(reply, name="refused at first")


@pytest.mark.parametrize(
    "judge", [None, lambda sql, outcome: None], ids=["nobody", "a person who cannot say"]
)
def test_notes_are_kept_on_the_verdict_of_the_database_alone(city, tmp_path, judge):
    prompts = []

    def asked():
        return answer(
            "Which cities?",
            city,
            load_program("merit_notes"),
            refused_at_first(prompts),
            db_id="geo",
            memory=tmp_path / "mine",
            embedder=HashEmbedder(),
            judge=judge,
            keep=True,
        )

    found = asked()
    assert [attempt.execution.status for attempt in found.attempts] == ["unknown_column", "ok"]
    with Memory(tmp_path / "mine") as memory:
        by_kind = {kind: memory.records(kind) for kind in KINDS}
    (note,) = by_kind.pop("notes")
    assert found.kept == (note,)
    assert note.entry.error_class == "schema_reference"
    assert note.entry.worked == "select name , note from city where name = ? and note is not null"
    assert not any(by_kind.values())  # neither a repair nor a dead end: nobody has judged it
    assert not any("Recorded verdict of the machine" in prompt for prompt in prompts)
    assert asked().kept == (note,)  # the same one again
    assert "Recorded verdict of the machine" in prompts[-1]
