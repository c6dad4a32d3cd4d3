"""``sqlmend notes``: list, check, forget, stats."""

from __future__ import annotations

import json
import stat

import pytest

from sqlmend.memory.notes import FailureNotes
from tests.cli.calls import call


@pytest.fixture
def path(tmp_path):
    with FailureNotes(tmp_path / "notes.jsonl") as notes:
        for backend, sql, error in (
            ("sqlite", "SELECT nme FROM t", "no such column: nme"),
            ("postgres", "SELECT pg_sleep(9)", "canceling statement due to statement timeout"),
            ("mysql", "SELECT 1/0 AS \x1b[31mred", "something else"),
        ):
            notes.record(sql, "sha256:0", backend=backend, error=error)
        notes.worked("SELECT nme FROM t LIMIT 1", "sha256:0", backend="sqlite")
        notes.worked("SELECT pg_sleep(1)", "sha256:0", backend="postgres")
    return notes.path


def listed(capsys, path, *options):
    code, out, _ = call(capsys, "notes", "list", str(path), "--json", *options)
    assert code == 0
    return json.loads(out)


def test_list(capsys, path):
    document = listed(capsys, path)
    assert document["found"] == 3
    assert [note["error_class"] for note in document["notes"]] == [
        "schema_reference",
        "timeout",
        "unclassified",
    ]
    assert document["notes"][1]["worked"] == "select pg_sleep ( ? )"
    assert [n["backend"] for n in listed(capsys, path, "--class", "timeout")["notes"]] == ["postgres"]
    assert [n["backend"] for n in listed(capsys, path, "--backend", "mysql")["notes"]] == ["mysql"]
    last = listed(capsys, path, "--limit", "1")
    assert (last["found"], len(last["notes"]), last["notes"][0]["backend"]) == (3, 1, "mysql")


def test_list_for_people_shows_no_control_characters(capsys, path):
    code, out, _ = call(capsys, "notes", "list", str(path))
    assert code == 0 and "\x1b[31m" not in out and "3 of 3 notes" in out


def test_stats(capsys, path):
    code, out, _ = call(capsys, "notes", "stats", str(path), "--json")
    document = json.loads(out)
    assert code == 0
    assert (document["notes"], document["worked"], document["schemas"]) == (3, 1, 1)
    assert document["unclassified_rate"] == pytest.approx(1 / 3)
    assert document["unclassified_rate_published"] == pytest.approx(2 / 3)
    assert document["classes"]["timeout"] == document["backends"]["sqlite"] == 1
    code, out, _ = call(capsys, "notes", "stats", str(path))
    assert code == 0 and "unclassified: 33.3%" in out


def test_stats_of_nothing(capsys, tmp_path):
    (tmp_path / "n.jsonl").touch()
    code, out, _ = call(capsys, "notes", "stats", str(tmp_path / "n.jsonl"), "--json")
    assert code == 0 and json.loads(out)["unclassified_rate"] is None


def test_forget_until_it_is_refused_again(capsys, path):
    first = listed(capsys, path)["notes"][0]["id"]
    code, out, _ = call(capsys, "notes", "forget", str(path), first, "--json")
    assert code == 0 and json.loads(out) == {"forgotten": 1, "live": 2}
    assert FailureNotes(path).lookup("SELECT nme FROM t", "sha256:0", backend="sqlite") is None
    code, _, err = call(capsys, "notes", "forget", str(path), first)
    assert code == 2 and first in err
    with FailureNotes(path) as notes:
        notes.record("SELECT nme FROM t", "sha256:0", backend="sqlite", error="no such column: nme")
    assert listed(capsys, path)["found"] == 3


def test_purge_leaves_no_trace(capsys, path):
    (path.parent / ".notes.jsonl.aside").write_text("a torn line\n")
    first = listed(capsys, path)["notes"][0]["id"]
    reader = FailureNotes(path)
    assert len(reader.refusals()) == 3
    code, out, _ = call(capsys, "notes", "forget", str(path), first, "--purge", "--json")
    assert code == 0 and json.loads(out) == {"purged": 1, "live": 2}
    assert "nme" not in path.read_text() and first not in path.read_text()
    assert [item.name for item in path.parent.iterdir()] == ["notes.jsonl"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert len(reader.refusals()) == 2


def test_check_and_fix(capsys, path):
    code, out, _ = call(capsys, "notes", "check", str(path), "--json")
    assert code == 0
    assert json.loads(out) == {"ok": True, "live": 3, "forgotten": 0, "fixed": False, "damage": []}
    lines = path.read_text().splitlines()
    lines[0] = lines[0].replace("no such column", "no such table")
    path.write_text("\n".join(["oops", *lines, '{"v":1,"forg']))
    code, out, _ = call(capsys, "notes", "check", str(path), "--json")
    document = json.loads(out)
    assert code == 1 and document["live"] == 2
    assert [(line["line"], line["torn"]) for line in document["damage"]] == [
        (1, False),
        (2, False),
        (6, True),
    ]
    code, out, _ = call(capsys, "notes", "check", str(path))
    assert code == 1 and "torn end: line 6" in out
    code, out, _ = call(capsys, "notes", "check", str(path), "--fix")
    assert code == 0 and "set aside: line 1" in out
    assert (path.parent / ".notes.jsonl.aside").read_text().splitlines()[0] == "oops"
    code, out, _ = call(capsys, "notes", "check", str(path), "--json")
    assert code == 0 and json.loads(out)["live"] == 2


def test_bad_input(capsys, tmp_path, path):
    code, _, err = call(capsys, "notes", "list", str(tmp_path / "none.jsonl"))
    assert code == 2 and "no file of notes" in err
    (tmp_path / "memory").mkdir()
    (tmp_path / "memory" / "notes.jsonl").touch()
    code, _, err = call(capsys, "notes", "list", str(tmp_path / "memory"))
    assert code == 2 and "--kind notes" in " ".join(err.split())
    other = tmp_path / "other.jsonl"
    other.write_text('{"a": 1}\n{"b": 2}\n')
    code, _, err = call(capsys, "notes", "stats", str(other))
    assert code == 2 and "something else" in err
    path.write_text('{"v":2}\n')
    code, _, err = call(capsys, "notes", "check", str(path))
    assert code == 2 and "newer" in err
