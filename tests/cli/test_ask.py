"""`sqlmend ask`: one question of one's own database, with a memory and without."""

import json
import sqlite3

import pytest

from sqlmend.memory import Memory
from sqlmend.testing import repair_entry
from tests.cli.calls import call
from tests.modules.cards import card

REPLIES = """
from sqlmend.testing import scripted_lm

def answer(prompt):
    if "<history>" not in prompt:
        return "<answer>SELECT nme FROM city</answer>"
    return "<answer>SELECT name, note, blob FROM city</answer>" if "nme" in prompt else ""

def make():
    return scripted_lm(answer, name="ask")

def with_cards():
    def answer(prompt):
        return "<answer>SELECT name FROM city</answer>" if "[red]places" in prompt else "no idea"
    return scripted_lm(answer, name="cards")

def mends():
    def answer(prompt):
        if "<queries_at_most>" in prompt:
            return "<answer>SELECT count(*) FROM city</answer>"
        return f"<answer>SELECT {'name' if '<history>' in prompt else 'nme'} FROM city</answer>"
    return scripted_lm(answer, name="mends")

def wordy():
    said = "<answer>SELECT name FROM city -- " + "again " * 99
    return scripted_lm(lambda prompt: said, name="wordy", max_tokens=64)

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


def test_an_answer_that_was_cut_off_is_said_once_and_its_query_is_run(capsys, place):
    asked = ("ask", str(place / "geo.sqlite"), "Which?", "--lm", "replies:wordy")
    code, out, err = call(capsys, *asked)
    assert (code, "Lima" in out) == (0, True)
    assert "1 of 1 answers of the model cut off" in err
    assert "truncated" not in err
    _, out, _ = call(capsys, *asked, "--json")
    assert json.loads(out)["cut_off"] == 1


def test_a_query_that_never_runs_is_exit_1(capsys, place):
    code, out, err = call(
        capsys, "ask", str(place / "geo.sqlite"), "Which?", "--lm", "replies:never", "--budget", "1"
    )
    assert code == 1
    assert "SELECT nme FROM city" in out
    assert "no such column: nme" in err


def test_a_query_that_is_given_again_and_again_is_said_to_be(capsys, place):
    asked = ("ask", str(place / "geo.sqlite"), "Which?", "--lm", "replies:never", "--budget", "2")
    assert "gave a query again 2 times" in " ".join(call(capsys, *asked)[2].split())


@pytest.mark.parametrize("question", ["", " \n"])
def test_an_empty_question_is_bad_input(capsys, place, question):
    code, out, err = call(capsys, "ask", str(place / "geo.sqlite"), question, "--lm", "replies:never")
    assert (code, out) == (2, "")
    assert "the question is empty" in err


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


@pytest.fixture
def bank(place):
    """A bank of a card for each of two questions of the database, and one of another database."""
    entries = [
        card("Which cities?", "SELECT name FROM city", question_id="ask", db_id="geo", note="[red]places"),
        card("Which notes?", "SELECT note FROM city", question_id="b", db_id="geo", note="\x1b[31mnotes"),
        card("Which cities?", "SELECT town", question_id="c", db_id="other"),
    ]
    with Memory(place / "bank", write=True) as memory:
        memory.append(entries, -1, {})
    return place / "bank"


def test_cards_are_recalled_and_shown_that_of_the_very_question_first(capsys, place, bank):
    asked = ("ask", str(place / "geo.sqlite"), "Which cities?", "--lm", "replies:with_cards")
    cards = ("--cards", str(bank), "--embedder", "hash")
    code, out, err = call(capsys, *asked, *cards)
    assert code == 0
    assert "2 rows" in out
    assert "from: Which cities?" in err
    assert "lesson: [red]places" in err
    assert "\x1b[31m" not in err
    document = json.loads(call(capsys, *asked, *cards, "--json")[1])
    assert [entry["question"] for entry in document["recalled"]] == ["Which cities?", "Which notes?"]
    assert [attempt["recalled"] for attempt in document["attempts"]] == [
        [entry["id"] for entry in document["recalled"]]
    ]
    without = call(capsys, *asked, "--program", "cards", "--json")
    assert json.loads(without[1])["status"] == "no_statement"


def test_with_cards_a_query_that_fails_is_repaired_within_the_budget(capsys, place, bank):
    asked = ("ask", str(place / "geo.sqlite"), "Which cities?", "--lm", "replies:mends", "--json")
    cards = ("--cards", str(bank), "--embedder", "hash")
    code, out, _ = call(capsys, *asked, *cards)
    attempts = json.loads(out)["attempts"]
    assert code == 0
    assert [attempt["status"] for attempt in attempts] == ["unknown_column", "ok"]
    assert len(attempts[0]["recalled"]) == 2
    code, out, _ = call(capsys, *asked, *cards, "--budget", "0")
    assert (code, len(json.loads(out)["attempts"])) == (1, 1)


def test_a_bank_of_other_databases_is_said_to_be_one(capsys, place, bank):
    (place / "geo.sqlite").rename(place / "world.sqlite")
    asked = (
        "ask",
        str(place / "world.sqlite"),
        "Which cities?",
        "--lm",
        "replies:mends",
        "--embedder",
        "hash",
    )
    code, out, err = call(capsys, *asked, "--cards", str(bank), "--json")
    document = json.loads(out)
    assert (code, document["recalled"], document["bank_databases"]) == (0, [], ["geo", "other"])
    assert "no card was recalled: world, as the database's file is called" in err
    assert "(geo, other)" in err
    elsewhere = ("--set", "recall_cards.scope=any")
    assert "no card" not in call(capsys, *asked, "--cards", str(bank), *elsewhere)[2]


@pytest.mark.parametrize("options", [("--program", "cards"), ("--memory", "bank")])
def test_what_cards_stand_for_is_not_given_beside_them(capsys, place, bank, options):
    asked = ("ask", str(place / "geo.sqlite"), "Which?", "--lm", "replies:make", "--cards", str(bank))
    code, out, err = call(capsys, *asked, *options)
    assert (code, out) == (2, "")
    assert options[0] in err
    assert "give --cards alone" in err


def test_a_bank_that_is_not_there_is_exit_2(capsys, place):
    asked = ("ask", str(place / "geo.sqlite"), "Which?", "--lm", "replies:make", "--embedder", "hash")
    code, out, err = call(capsys, *asked, "--cards", str(place / "nowhere"))
    assert (code, out) == (2, "")
    assert "nowhere" in err
    assert not (place / "nowhere").exists()


@pytest.mark.parametrize("database", ["missing.sqlite", "replies.py", "."])
def test_what_is_no_database_is_exit_2(capsys, place, database):
    code, out, err = call(capsys, "ask", str(place / database), "Which?", "--lm", "replies:make")
    assert (code, out) == (2, "")
    assert "error:" in err


def test_purging_a_memory_takes_its_text_out_of_the_cache(capsys, place):
    entry = repair_entry(question="Where lies Zzyzx?", db_id="other")
    with Memory(place / "memory", write=True) as memory:
        memory.append([entry], 0, {})
    asked = ("ask", str(place / "geo.sqlite"), "Which cities?", "--lm", "replies:make", "--embedder", "hash")
    assert call(capsys, *asked, "--memory", str(place / "memory"))[0] == 0

    def holding():
        files = [file for file in (place / "home" / "index").rglob("*") if file.is_file()]
        return [file.name for file in files if b"zzyzx" in file.read_bytes().lower()]

    assert holding()
    assert call(capsys, "memory", "forget", str(place / "memory"), entry.id, "--purge")[0] == 0
    assert holding() == []
