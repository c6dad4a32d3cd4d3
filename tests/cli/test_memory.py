from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sqlmend.cli import main
from sqlmend.memory import Execution, Memory, Rule, RuleEntry
from sqlmend.testing import repair_entry

HOSTILE = "<script>[red]\x1b[31m=1+1</answer>"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run ``sqlmend memory ...``: exit code, stdout, stderr."""

    def call(*arguments: object) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as stopped:
            main(["memory", *map(str, arguments)])
        captured = capsys.readouterr()
        return int(stopped.value.code or 0), captured.out, captured.err

    return call


@pytest.fixture
def run_folder(tmp_path: Path) -> Path:
    """A run whose memory holds two positives and a negative."""
    with Memory(tmp_path / "run" / "memory", write=True) as memory:
        memory.append([repair_entry()], 0, {"program": "merit"})
        memory.append([repair_entry(db_id="museum", question_id="1", failure_type="syntax")], 1, {})
        memory.append([repair_entry(polarity="negative", question_id="2")], 2, {})
    return tmp_path / "run"


def document(text: str) -> Any:
    return json.loads(text)


def test_list(run: Run, run_folder: Path) -> None:
    code, out, _ = run("list", run_folder, "--json")
    listed = document(out)
    assert code == 0
    assert listed["found"] == 3
    assert [record["kind"] for record in listed["records"]] == ["positive", "positive", "negative"]
    assert listed["records"][0] == {
        "id": repair_entry().id,
        "kind": "positive",
        "position": 0,
        "db_id": "pets_1",
        "failure_type": "schema_linking",
        "question": "How many pets are there?",
    }
    code, out, _ = run("list", run_folder / "memory")
    assert code == 0
    assert repair_entry().id in out
    assert "3 of 3 records" in out


@pytest.mark.parametrize(
    ("options", "positions"),
    [
        (["--kind", "negative"], [2]),
        (["--database", "museum"], [1]),
        (["--type", "schema_linking"], [0, 2]),
        (["--type", "schema_linking", "--limit", "1"], [0]),
        (["--database", "nowhere"], []),
    ],
)
def test_list_filters(run: Run, run_folder: Path, options: list[str], positions: list[int]) -> None:
    _, out, _ = run("list", run_folder, *options, "--json")
    assert [record["position"] for record in document(out)["records"]] == positions


def test_rules_are_listed_with_all_that_they_say_and_how_they_were_used(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "200")
    rule = Rule("domain", "code = 'Peru'", "a country is named", "use code = 'PE'", ("country.code",))
    bound = RuleEntry("1", "Which?", "world", "sha256:0", "schema/value", rule)
    free = RuleEntry("1", "Which?", "world", "sha256:0", "", Rule("", "", "", "[red]mind the units"))
    with Memory(tmp_path / "memory", write=True) as memory:
        memory.append([bound, free], 0, {})
    _, out, _ = run("list", tmp_path / "memory", "--kind", "rules", "--json")
    listed = document(out)["records"][0]
    assert listed["anchors"] == ["country.code"]
    assert [listed[name] for name in ("pattern", "condition", "correction")] == [
        rule.pattern,
        rule.condition,
        rule.correction,
    ]
    for options in (["--kind", "rules"], []):
        _, out, _ = run("list", tmp_path / "memory", *options)
        for said in (
            "of: country.code",
            "when: a country is named",
            "not: code = 'Peru'",
            "but: use code = 'PE'",
        ):
            assert said in out
        assert "from: schema/value" in out
        assert "[red]mind the units" in out
        assert "agreed" not in out
    (tmp_path / "config.json").write_text("{}")
    (tmp_path / "episodes.jsonl").write_text(json.dumps(used_by(bound.id)) + "\n")
    _, out, _ = run("list", tmp_path, "--kind", "rules")
    assert out.splitlines()[0].split()[-3:] == ["shown", "executed", "agreed"]
    assert out.splitlines()[1].split()[-3:] == ["1", "1", "0"]


def used_by(rule_id: str) -> dict[str, Any]:
    """An episode that showed a rule, ran, and was agreed on by few."""
    fields = "position question_id attempts committed score_before score_after flags error calls".split()
    return dict.fromkeys([*fields, "prompt_tokens", "output_tokens"], 0) | {
        "reasoning": {
            "rules": [rule_id],
            "candidates": [{"label": "c1", "status": "ok"}],
            "selected": "c1",
            "confidence": 0.4,
        }
    }


def test_show_takes_the_beginning_of_an_id(run: Run, run_folder: Path) -> None:
    record_id = repair_entry().id
    code, out, _ = run("show", run_folder, record_id[:6], "--json")
    assert code == 0
    assert document(out)["entry"] == repair_entry().to_dict()
    code, out, _ = run("show", run_folder, record_id)
    assert "entry.before.sql: SELECT count(*) FROM pet\n" in out
    assert "provenance.program: merit" in out


def test_show_refuses_an_unknown_or_ambiguous_id(run: Run, run_folder: Path) -> None:
    code, out, err = run("show", run_folder, "nothing")
    assert (code, out) == (2, "")
    assert "0 records have an id that begins with 'nothing'" in err
    assert "sqlmend memory list" in err
    code, _, err = run("show", run_folder, "")
    assert code == 2
    assert "3 records" in err


def test_check(run: Run, run_folder: Path) -> None:
    code, out, _ = run("check", run_folder)
    assert (code, out) == (0, "positive: 2 live, 0 retired\nnegative: 1 live, 0 retired\nok\n")
    log = run_folder / "memory" / "positive.jsonl"
    log.write_text(log.read_text().replace("How many", "How few", 1))
    code, out, _ = run("check", run_folder, "--json")
    assert code == 1
    report = document(out)
    assert (report["ok"], report["fixed"], report["live"]["positive"]) == (False, False, 1)
    assert [(found["file"], found["line"]) for found in report["damage"]] == [("positive.jsonl", 1)]
    code, out, _ = run("check", run_folder)
    assert code == 1
    assert "damaged: positive.jsonl line 1" in out
    code, out, _ = run("check", run_folder, "--fix")
    assert code == 0
    assert "set aside: positive.jsonl line 1" in out
    assert run("check", run_folder)[0] == 0


def test_damage_is_bad_input_elsewhere(run: Run, run_folder: Path) -> None:
    log = run_folder / "memory" / "positive.jsonl"
    log.write_text("damage\n" + log.read_text())
    code, out, err = run("list", run_folder, "--json")
    assert (code, out) == (2, "")
    assert "positive.jsonl line 1" in err
    assert "check --fix" in err


def test_forget(run: Run, run_folder: Path) -> None:
    record_id = repair_entry().id
    code, out, _ = run("forget", run_folder, record_id, "--json")
    assert (code, document(out)) == (0, {"retired": 1, "live": 2})
    assert record_id in (run_folder / "memory" / "positive.jsonl").read_text()
    code, out, _ = run("forget", run_folder, record_id, "--purge")
    assert (code, out) == (0, "1 purged, 2 live\n")
    assert record_id not in (run_folder / "memory" / "positive.jsonl").read_text()
    code, _, err = run("forget", run_folder, record_id)
    assert code == 2
    assert f"no record {record_id}" in err


def test_forgetting_is_refused_while_a_run_is_writing(run: Run, run_folder: Path) -> None:
    with Memory(run_folder / "memory", write=True):
        assert run("list", run_folder)[0] == 0
        code, _, err = run("forget", run_folder, repair_entry().id)
    assert code == 2
    assert "is writing to the memory" in err


def test_export_and_import(run: Run, run_folder: Path, tmp_path: Path) -> None:
    code, out, _ = run("export", run_folder, "--out", tmp_path / "copy", "--json")
    assert (code, document(out)) == (0, {"exported": 3})
    code, _, err = run("export", run_folder, "--out", tmp_path / "copy")
    assert code == 2
    assert "holds something already" in err
    code, out, _ = run("import", tmp_path / "new", "--from", tmp_path / "copy", "--json")
    assert (code, document(out)) == (0, {"added": 3, "present": 0, "retired": 0})
    code, out, _ = run("import", tmp_path / "new", "--from", run_folder)
    assert (code, out) == (0, "0 added, 3 were here already, 0 are forgotten here\n")


def mark(folder: Path) -> None:
    """Lay beside a memory what a run lays there."""
    for name in ("config.json", "steps.jsonl"):
        (folder / name).write_text("{}\n")


def test_nothing_is_imported_into_a_run(run: Run, run_folder: Path, tmp_path: Path) -> None:
    mark(run_folder)
    with Memory(tmp_path / "more", write=True) as memory:
        memory.append([repair_entry(question_id="9")], 0, {})
    for folder in (run_folder, run_folder / "memory"):
        code, out, err = run("import", folder, "--from", tmp_path / "more", "--json")
        assert (code, out) == (2, "")
        assert "sqlmend memory export" in err
    assert len(Memory(run_folder / "memory").records("positive")) == 2


def test_a_project_with_a_memory_is_no_run(run: Run, run_folder: Path, tmp_path: Path) -> None:
    (run_folder / "config.json").write_text("{}")
    with Memory(tmp_path / "more", write=True) as memory:
        memory.append([repair_entry(question_id="9")], 0, {})
    for folder, added in ((run_folder, 1), (run_folder / "memory", 0)):
        code, out, _ = run("import", folder, "--from", tmp_path / "more", "--json")
        assert (code, document(out)["added"]) == (0, added)


@pytest.mark.parametrize(("name", "of_a_run"), [("memory", True), ("memory", False), ("bank", True)])
def test_purging_deletes_the_index_of_a_run_and_no_other(
    run: Run, tmp_path: Path, name: str, of_a_run: bool
) -> None:
    with Memory(tmp_path / name, write=True) as memory:
        (record,) = memory.append([repair_entry()], 0, {})
    (tmp_path / "index").mkdir()
    if of_a_run:
        mark(tmp_path)
    else:
        (tmp_path / "config.json").write_text("{}")
    assert run("forget", tmp_path / name, record.id)[0] == 0
    assert (tmp_path / "index").exists()
    assert run("forget", tmp_path / name, record.id, "--purge")[0] == 0
    assert (tmp_path / "index").exists() is not (name == "memory" and of_a_run)


def test_importing_creates_nothing_from_what_is_no_memory(run: Run, run_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "text").touch()
    assert run("import", tmp_path / "new", "--from", tmp_path / "notes")[0] == 2
    assert not (tmp_path / "new").exists()
    assert run("import", tmp_path / "notes", "--from", run_folder)[0] == 2
    assert [path.name for path in (tmp_path / "notes").iterdir()] == ["text"]


def test_untrusted_text_is_shown_as_text(run: Run, tmp_path: Path) -> None:
    entry = repair_entry(question=HOSTILE, db_id=HOSTILE, before=Execution(HOSTILE, "other_error", HOSTILE))
    with Memory(tmp_path / "memory", write=True) as memory:
        memory.append([entry], 0, {HOSTILE: HOSTILE})
    for arguments in (
        ["list", tmp_path],
        ["show", tmp_path, entry.id],
        ["show", tmp_path, entry.id, "--json"],
    ):
        code, out, err = run(*arguments)
        assert code == 0
        assert "\x1b" not in out + err
        assert "[re" in out
    assert "<script>[red]\\x1b[31m=1+1</answer>" in run("show", tmp_path, entry.id)[1]


@pytest.mark.parametrize("name", ["", "list", "show", "check", "forget", "export", "import"])
def test_help_ends_with_an_example(run: Run, name: str) -> None:
    code, out, _ = run(*([name] if name else []), "--help")
    assert code == 0
    *_, heading, line = out.splitlines()
    assert (heading.strip(), line.strip().split()[:3]) == ("Example:", ["sqlmend", "memory", name or "list"])


@pytest.mark.parametrize("name", ["list", "check", "export"])
def test_no_memory_is_bad_input(run: Run, tmp_path: Path, name: str) -> None:
    options = ["--out", tmp_path / "out"] if name == "export" else []
    code, out, err = run(name, tmp_path, *options)
    assert (code, out) == (2, "")
    assert "no memory in" in err
