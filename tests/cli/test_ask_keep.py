"""What `sqlmend ask` keeps: what a person has judged, and rules that need no verdict."""

import io
import json
import sqlite3

import pytest

from sqlmend.memory import Memory
from tests.cli.calls import call
from tests.modules.cards import card

REPLIES = """
from sqlmend.testing import scripted_lm

def make():
    def answer(prompt):
        return f"<answer>SELECT {'name' if '<history>' in prompt else 'note'} FROM city</answer>"
    return scripted_lm(answer, name="keeps")

def learns():
    def answer(prompt):
        if "correction:" in prompt.rpartition("\\n\\n")[2]:
            rule = ("type: domain", "anchor: city.name", "pattern: SELECT note")
            rule += ("condition: cities are asked for", "correction: SELECT name")
            return "<answer>" + "\\n".join(rule) + "</answer>"
        if "m_schema" in prompt or "# Table" in prompt:
            return "<answer>SELECT note FROM city</answer>"
        return "<answer>SELECT count(*) FROM city</answer>"
    return scripted_lm(answer, name="learns")
"""
ASKED = ("Which cities?", "--embedder", "hash")


@pytest.fixture(autouse=True)
def place(tmp_path, monkeypatch):
    """A database and scripted models, in a folder of its own."""
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))
    monkeypatch.syspath_prepend(str(tmp_path))
    (tmp_path / "keep_replies.py").write_text(REPLIES)
    connection = sqlite3.connect(tmp_path / "geo.sqlite")
    connection.execute("CREATE TABLE city (name TEXT, note TEXT)")
    connection.execute("INSERT INTO city VALUES ('Lima', '[red]x')")
    connection.commit()
    connection.close()
    return tmp_path


@pytest.fixture
def ask(capsys, place, monkeypatch):
    """Ask with what a person types: exit code, the document, what was said."""

    def call_with(*options, typed=None, model="make"):
        if typed is not None:
            terminal = io.StringIO(typed)
            terminal.isatty = lambda: True
            monkeypatch.setattr("sys.stdin", terminal)
        asked = ("ask", str(place / "geo.sqlite"), *ASKED, "--lm", f"keep_replies:{model}", "--json")
        code, out, said = call(capsys, *asked, *map(str, options))
        return code, json.loads(out) if out else None, said

    return call_with


def kept(folder):
    with Memory(folder) as memory:
        return {kind: memory.records(kind) for kind in ("positive", "negative", "rules")}


def test_a_wrong_answer_is_repaired_and_the_confirmed_one_is_kept(ask, place):
    code, document, said = ask("--memory", place / "mine", "--keep", "--feedback", typed="n\ny\n")
    assert (code, document["sql"]) == (0, "SELECT name FROM city")
    assert [attempt["status"] for attempt in document["attempts"]] == ["mismatch", "match"]
    assert "1 rows. Is this right?" in said
    assert "[red]x" in said
    (record,) = kept(place / "mine")["positive"]
    assert [line["id"] for line in document["kept"]] == [record.id]
    assert (record.position, record.entry.question, record.entry.db_id) == (0, "Which cities?", "geo")
    # Asked again: what was confirmed of this very question is recalled, and is not kept twice.
    _, document, _ = ask("--memory", place / "mine", "--keep", "--feedback", typed="n\ny\n")
    assert document["attempts"][1]["recalled"] == [record.id]
    assert kept(place / "mine")["positive"] == (record,)


@pytest.mark.parametrize("options", [("--feedback",), ()])
def test_what_nobody_could_judge_is_not_kept(ask, place, options):
    code, document, _ = ask("--memory", place / "mine", "--keep", *options, typed="?\n")
    assert (code, len(document["attempts"]), document["kept"]) == (0, 1, [])
    assert not any(kept(place / "mine").values())


@pytest.mark.parametrize(
    ("options", "typed", "words"),
    [
        (("--feedback",), "y\n", "no query was revised"),
        (("--feedback",), "?\n", "no query was revised"),
        (("--feedback",), "n\n?\n", "you could not say"),
        ((), "", "no query was revised"),
    ],
)
def test_why_nothing_was_kept_is_said(ask, place, options, typed, words):
    code, _, said = ask("--memory", place / "mine", "--keep", *options, typed=typed)
    assert code == 0
    assert f"nothing kept: {words}" in " ".join(said.split())


def test_an_answer_that_was_rejected_is_not_shown_as_one(capsys, place, monkeypatch):
    terminal = io.StringIO("n\n")
    terminal.isatty = lambda: True
    monkeypatch.setattr("sys.stdin", terminal)
    asked = ("ask", str(place / "geo.sqlite"), *ASKED, "--lm", "keep_replies:make", "--feedback")
    code, out, said = call(capsys, *asked, "--budget", "0")
    assert (code, out.split()) == (1, "SELECT note FROM city".split())
    assert "you said no to the last query; 1 were tried" in " ".join(said.split())


def test_nothing_is_kept_that_was_not_to_be(ask, place):
    with Memory(place / "mine", write=True) as memory:
        memory.append([], 0, {})
    before = sorted(place.joinpath("mine").iterdir())
    _, document, _ = ask("--memory", place / "mine", "--feedback", typed="n\ny\n")
    assert [attempt["status"] for attempt in document["attempts"]] == ["mismatch", "match"]
    assert document["kept"] == []
    assert sorted(place.joinpath("mine").iterdir()) == before


def test_rules_are_kept_without_a_verdict_and_shown_to_the_next_question(ask, place):
    small = ("--program", "sdam_small", "--memory", place / "mine", "--keep")
    code, document, _ = ask(*small, model="learns")
    assert code == 0
    assert 0 < document["confidence"] <= 1
    (record,) = kept(place / "mine")["rules"]
    assert record.entry.rule.anchors == ("city.name",)
    _, document, _ = ask(*small[:-1], model="learns")
    assert document["kept"] == []
    assert [rule["id"] for rule in document["recalled"]] == [record.id]


def test_a_bank_and_the_memory_of_a_run_are_not_added_to(ask, place):
    with Memory(place / "run" / "memory", write=True) as memory:
        memory.append([card("Which?", "SELECT 1", question_id="1", db_id="geo")], 0, {})
    for name in ("config.json", "steps.jsonl"):
        (place / "run" / name).write_text("{}\n")
    for options, words in (
        (("--memory", place / "run"), "sqlmend memory export"),
        (("--cards", place / "run" / "memory"), "a bank of cards is not added to"),
        ((), "needs a memory"),
    ):
        code, document, said = ask(*options, "--keep")
        assert (code, document) == (2, None)
        assert words in said


def test_a_verdict_needs_a_terminal(ask):
    code, document, said = ask("--feedback")
    assert (code, document) == (2, None)
    assert "--feedback asks you on a terminal" in said
