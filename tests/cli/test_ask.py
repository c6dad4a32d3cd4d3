"""`sqlmend ask`: one question of one's own database, with a memory and without."""

import json
import sqlite3

import pytest

from tests.cli.calls import call

REPLIES = """
from sqlmend.testing import scripted_lm

def answer(prompt):
    if "<history>" not in prompt:
        return "<answer>SELECT nme FROM city</answer>"
    return "<answer>SELECT name, note, blob FROM city</answer>" if "nme" in prompt else ""

def make():
    return scripted_lm(answer, name="ask")

def never():
    return scripted_lm(lambda prompt: "<answer>SELECT nme FROM city</answer>", name="never")
"""


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A database with hostile text and a scripted model, in a folder of its own."""
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "replies.py").write_text(REPLIES)
    connection = sqlite3.connect(tmp_path / "geo.sqlite")
    connection.execute("CREATE TABLE city (name TEXT, note TEXT, blob BLOB)")
    rows = [("Lima", "[red]x[/red] \x1b[31m<script>", b"\x00\xff"), ("Quito", None, None)]
    connection.executemany("INSERT INTO city VALUES (?, ?, ?)", rows)
    connection.commit()
    connection.close()
    return tmp_path


def test_a_failing_query_is_repaired_and_its_rows_are_shown_as_data(capsys, place):
    code, out, err = call(capsys, "ask", str(place / "geo.sqlite"), "Which cities?", "--lm", "replies:make")
    assert code == 0
    assert "SELECT name, note, blob FROM city" in out
    assert "[red]x[/red]" in out
    assert "\x1b[31m" not in out
    assert "\\x1b[31m" in out
    assert "NULL" in out
    assert "2 rows" in out
    assert "unknown_column" in err


def test_json_holds_the_attempts(capsys, place):
    code, out, _ = call(capsys, "ask", str(place / "geo.sqlite"), "Which?", "--lm", "replies:make", "--json")
    document = json.loads(out)
    assert code == 0
    assert document["rows"] == [["Lima", "[red]x[/red] \x1b[31m<script>", "00ff"], ["Quito", None, None]]
    assert [attempt["status"] for attempt in document["attempts"]] == ["unknown_column", "ok"]
    assert document["attempts"][0]["failure_type"] == "schema_linking"


def test_a_query_that_never_runs_is_exit_1(capsys, place):
    code, out, err = call(
        capsys, "ask", str(place / "geo.sqlite"), "Which?", "--lm", "replies:never", "--budget", "1"
    )
    assert code == 1
    assert "SELECT nme FROM city" in out
    assert "no such column: nme" in err


def test_a_memory_is_recalled_from_and_not_written_to(capsys, place):
    run = place / "run"
    made = (
        "--benchmark",
        "mini",
        "--sample",
        "40",
        "--lm",
        "tests.simulator:make",
        "--embedder",
        "hash",
        "--budget",
        "1",
    )
    assert call(capsys, "run", "merit", *made, "--out", str(run), "--json")[0] == 0
    before = {file: file.read_bytes() for file in run.rglob("*") if file.is_file()}
    asked = (
        "ask",
        str(place / "geo.sqlite"),
        "Which?",
        "--lm",
        "replies:make",
        "--memory",
        str(run),
        "--embedder",
        "hash",
    )
    code, out, _ = call(capsys, *asked, "--json")
    document = json.loads(out)
    assert code == 0
    assert document["recalled"]
    assert document["attempts"][1]["recalled"] == [entry["id"] for entry in document["recalled"]]
    assert {file: file.read_bytes() for file in run.rglob("*") if file.is_file()} == before


@pytest.mark.parametrize("database", ["missing.sqlite", "replies.py", "."])
def test_what_is_no_database_is_exit_2(capsys, place, database):
    code, out, err = call(capsys, "ask", str(place / database), "Which?", "--lm", "replies:make")
    assert (code, out) == (2, "")
    assert "error:" in err
