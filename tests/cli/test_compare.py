"""`sqlmend compare` from the outside: what it prints, writes and refuses, and a kill in the middle."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sqlmend.cli import main
from sqlmend.errors import InputError
from tests.cli.calls import call

ROOT = Path(__file__).parents[2]
PROGRAMS = ("iterative", "merit:no_negative")
MINI = tuple(
    "--benchmark mini --sample 6 --lm tests.simulator:make --embedder hash --budget 1 --orders 0,1".split()
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished comparison's folder."""
    root = tmp_path_factory.mktemp("compare")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stop:
        patch.setenv("SQLMEND_HOME", str(root / "home"))
        main(["compare", *PROGRAMS, *MINI, "--out", str(root / "cmp")])
    assert not stop.value.code
    return root / "cmp"


@pytest.fixture
def no_report(monkeypatch):
    """Drawing takes seconds; the report has tests of its own."""
    monkeypatch.setattr("sqlmend.eval.report.write_report", lambda *_: [], raising=False)


def again(finished, *more):
    return ("compare", *PROGRAMS, *MINI, "--out", str(finished), "--resume", *more)


def test_the_folder_holds_runs_results_and_a_report(finished):
    names = {"comparison.json", "runs", "results.json", "results.csv", "report.md", "report.html"}
    assert names <= {item.name for item in finished.iterdir()}
    runs = {str(file.parent.relative_to(finished)) for file in finished.rglob("summary.json")}
    assert runs == {
        f"runs/{program}/{group}/order{order}"
        for program, group in (
            ("iterative", "allow"),
            ("merit.no_negative", "allow"),
            ("merit.no_negative", "exclude"),
        )
        for order in (0, 1)
    }


@pytest.mark.usefixtures("no_report")
def test_json_is_the_document_of_results(capsys, finished):
    code, text, err = call(capsys, *again(finished, "--json"))
    assert code == 0, err
    assert json.loads(text) == json.loads((finished / "results.json").read_text("utf-8"))


@pytest.mark.usefixtures("no_report")
def test_people_see_one_table_differences_and_where_they_come_from(capsys, finished):
    code, text, err = call(capsys, *again(finished))
    assert code == 0, err
    for words in (
        "2 programs on mini, 2 orders",
        "iterative",
        "exclude",
        "2 orders",
        "not separated",
        "(Holm)",
        "EX by definition bag on mini (6 questions",
        "the oracle ends episodes",
        "section order prefix",
        "embedder hash64",
        "10,000 resamples, seed 0",
        "report.html",
    ):
        assert words in text


def test_without_the_library_of_charts_all_else_is_written(capsys, finished, monkeypatch):
    def missing(*_):
        raise InputError("missing_extra", "plotly is not installed", hint="pip install 'sqlmend[report]'")

    monkeypatch.setattr("sqlmend.eval.report.write_report", missing, raising=False)
    code, text, err = call(capsys, *again(finished))
    assert code == 0
    assert "sqlmend[report]" in err.replace("\n", " ")
    assert "report.md" in text


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (("--orders", "0,1,2"), "orders was [0, 1], is now [0, 1, 2]"),
        (("--same-group", "allow"), "same_group"),
        (("--resamples", "7"), "resamples was 10000, is now 7"),
        (("--set", "recall.dense=0.5"), "programs[1].preset.steps"),
    ],
)
def test_resume_refuses_other_settings_and_names_them(capsys, finished, changes, says):
    code, text, err = call(capsys, *again(finished, *changes))
    assert (code, text) == (2, "")
    assert says in err.replace("\n", " ")


def test_an_occupied_folder_is_refused(capsys, finished):
    code, _, err = call(capsys, "compare", *PROGRAMS, *MINI, "--out", str(finished))
    assert code == 2
    assert "--resume" in err


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (("merrit",), "merit"),
        (("iterative",), "iterative"),
        (("--set", "recall.top_k.positve=5"), "recall.top_k.positive"),
        (("--set", "recall.same_group=allow"), "--same-group"),
        (("--pairs", "iterative:merit"), "merit:no_negative"),
        (("--orders", "0,0"), "different whole numbers"),
        (("--orders", "0;1"), "commas"),
        (("--orders", "-1"), "whole numbers from 0"),
        (("--same-group", "none"), "exclude"),
        (("--unit", "row"), "question"),
        (("--jobs", "0"), "jobs"),
        (("--resamples", "0"), "resamples"),
        (("--definition", "brid"), "bird"),
        (("--initial", "missing.json"), "missing.json"),
        (("--benchmark", "minni"), "mini"),
        (("--demonstrations", "mini"), "share the database"),
        (("--lm", "lokal"), "local"),
        (("--budget", "-1"), "budget"),
    ],
)
def test_bad_input_is_exit_2_says_why_and_writes_nothing(capsys, tmp_path, changes, says):
    out = tmp_path / "cmp"
    code, text, err = call(capsys, "compare", *PROGRAMS, *MINI, *changes, "--out", str(out))
    assert (code, text) == (2, "")
    assert says in err.replace("\n", " ")
    assert not out.exists()


@pytest.mark.usefixtures("no_report")
def test_without_a_memo_every_call_is_paid(capsys, tmp_path):
    arguments = ("compare", "iterative", *MINI, "--memo", "off", "--out", str(tmp_path / "cmp"), "--json")
    code, text, err = call(capsys, *arguments)
    assert code == 0, err
    runs = json.loads(text)["runs"]
    assert [run["calls_paid"] for run in runs] == [run["calls"] for run in runs]
    assert not list(tmp_path.rglob("memo"))
    assert not Path("off").exists()


@pytest.mark.usefixtures("no_report")
def test_a_preset_cannot_write_control_characters_to_the_terminal(capsys, tmp_path):
    own = tmp_path / "own.yaml"
    own.write_text('base: iterative\nname: "\\e[31m[red]<script>=1+1"\n')
    code, text, err = call(capsys, "compare", "iterative", str(own), *MINI, "--out", str(tmp_path / "cmp"))
    assert code == 0
    assert "\x1b" not in text + err
    assert "<script>=1+1" in text.replace("\n", "")


def compare(home, out, *more):
    """A process of `sqlmend compare` with a home of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "sqlmend", "compare", *PROGRAMS, *MINI, "--out", str(out), *more],
        env={**os.environ, "PYTHONPATH": str(ROOT), "SQLMEND_HOME": str(home)},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def episodes(folder):
    return {
        str(f.relative_to(folder)): f.read_bytes() for f in sorted(folder.glob("runs/*/*/*/episodes.jsonl"))
    }


def test_sigkill_in_the_middle_changes_no_byte(finished, tmp_path):
    killed = tmp_path / "killed"
    process = compare(tmp_path / "other-home", killed, "--jobs", "3")
    while process.poll() is None and sum(map(len, episodes(killed).values())) < 4000:
        time.sleep(0.005)
    assert process.poll() is None, process.communicate()[1].decode()
    process.send_signal(signal.SIGKILL)
    process.communicate()
    assert 0 < sum(map(len, episodes(killed).values())) < sum(map(len, episodes(finished).values()))
    process = compare(tmp_path / "other-home", killed, "--jobs", "3", "--resume")
    said = process.communicate(timeout=240)[1]
    assert process.returncode == 0, said.decode()
    assert episodes(killed) == episodes(finished)
