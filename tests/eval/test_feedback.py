"""A person's word on the queries of their own database."""

import sqlite3

import pytest

from sqlmend.databases import open_database
from sqlmend.eval._feedback import PersonFeedback


@pytest.fixture
def database(tmp_path):
    connection = sqlite3.connect(tmp_path / "geo.sqlite")
    connection.execute("CREATE TABLE city (name TEXT)")
    connection.execute("INSERT INTO city VALUES ('Lima')")
    connection.commit()
    connection.close()
    with open_database(tmp_path / "geo.sqlite") as opened:
        yield opened


@pytest.mark.parametrize(
    ("said", "status", "solved", "undecided"),
    [(True, "match", True, False), (False, "mismatch", False, False), (None, "ok", True, True)],
)
def test_what_a_person_says_of_a_query_that_runs(database, said, status, solved, undecided):
    seen = []
    feedback = PersonFeedback(database, lambda sql, outcome: seen.append((sql, outcome.rows)) or said)
    judgement = feedback("SELECT name FROM city")
    assert (judgement.status, judgement.solved, feedback.undecided) == (status, solved, undecided)
    assert [(sql, [tuple(row) for row in rows]) for sql, rows in seen] == [
        ("SELECT name FROM city", [("Lima",)])
    ]


def test_nobody_is_asked_about_a_query_that_fails_nor_twice_about_one(database):
    asked = []
    feedback = PersonFeedback(database, lambda sql, outcome: asked.append(sql) or False)
    assert feedback("SELECT nme FROM city").status == "unknown_column"
    assert feedback("SELECT name FROM city") == feedback("SELECT name FROM city")
    assert asked == ["SELECT name FROM city"]
