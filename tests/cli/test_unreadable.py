"""A database that cannot be read is an error with its name, never a wrong figure."""

import json
import sqlite3

import pytest

from tests.cli.calls import call

REPLIES = """
from pathlib import Path

from sqlmend.testing import scripted_lm

def make():
    def answer(prompt):
        Path(__file__).with_name("b.sqlite").unlink()
        return "<answer>SELECT nme FROM city</answer>"
    return scripted_lm(answer, name="takes-away")
"""


@pytest.fixture
def place(tmp_path, monkeypatch):
    """A database beside a model that deletes it when it is asked."""
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "replies_gone.py").write_text(REPLIES)
    with sqlite3.connect(tmp_path / "b.sqlite") as connection:
        connection.execute("CREATE TABLE city (name TEXT)")
    connection.close()
    return tmp_path


def test_ask_says_that_its_database_went(place, capsys):
    asked = ("ask", str(place / "b.sqlite"), "Which?", "--lm", "replies_gone:make", "--json")
    code, out, err = call(capsys, *asked, "--memory", str(place / "mine"), "--keep")
    assert (code, out) == (1, "")
    assert "b.sqlite is gone or out of reach" in " ".join(err.split())
    assert not (place / "mine" / "negative.jsonl").read_bytes()


def test_eval_gives_no_figure_where_one_of_its_databases_is_broken(place, capsys):
    for name in ("a", "b"):
        (place / "database" / name).mkdir(parents=True)
    data = (place / "b.sqlite").read_bytes()
    (place / "database/a/a.sqlite").write_bytes(data)
    (place / "database/b/b.sqlite").write_bytes(b"half a copy" * 100)
    rows = [{"db_id": name, "question": "q?", "query": "SELECT count(*) FROM city"} for name in "ab"]
    (place / "dev.json").write_text(json.dumps(rows))
    (place / "p.json").write_text(json.dumps({"0": "SELECT 0", "1": "SELECT 0"}))
    chosen = ("eval", str(place / "p.json"), "--benchmark", f"spider:{place}", "--json")
    code, out, err = call(capsys, *chosen, "--out", str(place / "v.jsonl"))
    assert (code, out) == (2, "")
    assert "b.sqlite is no SQLite database" in " ".join(err.split())
    assert not (place / "v.jsonl").exists()
    (place / "database/b/b.sqlite").unlink()
    code, out, _ = call(capsys, *chosen, "--partial")
    assert (code, json.loads(out)["correct"], json.loads(out)["left_out"]) == (0, 1, {"b": 1})
