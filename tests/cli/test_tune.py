"""`sqlmend tune` from the outside."""

import json

import pytest

from sqlmend.programs import load_preset
from tests.cli.calls import call

MINI = ("--benchmark", "mini", "--sample", "16", "--embedder", "hash", "--budget", "1")
LM = ("--lm", "tests.simulator:make")


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))


@pytest.fixture
def space(tmp_path):
    file = tmp_path / "space.yaml"
    file.write_text("only: true\nrecall.top_k.positive: [0, 1, 3, 6]\nrecall.type_policy: [hard, off]\n")
    return ("--space", str(file))


def test_a_study_ends_in_a_preset_that_runs(capsys, tmp_path, space):
    out = tmp_path / "tuned"
    tune = ("tune", "merit", *MINI, *LM, *space, "--trials", "4", "--out", str(out))
    code, text, _ = call(capsys, *tune, "--json")
    assert code == 0
    result = json.loads(text)
    assert result == json.loads((out / "result.json").read_text())
    assert result["trials"]["complete"] + result["trials"]["pruned"] == 4
    assert result["holdout"]["questions"] + result["train"]["questions"] == 16
    assert load_preset(out / "best.yaml").name == "merit_tuned"
    assert (out / "report.html").exists()
    run = ("run", str(out / "best.yaml"), *MINI[:-2], *LM, "--out", str(tmp_path / "run"), "--json")
    code, text, _ = call(capsys, *run)
    assert (code, json.loads(text)["program"]) == (0, "merit_tuned")

    code, _, err = call(capsys, *tune)
    assert code == 2
    assert "--resume" in err
    code, text, _ = call(capsys, *tune, "--resume")
    assert code == 0
    for words in ("EX, held out", "separated", "best.yaml"):
        assert words in text


def test_workers_share_one_study(capsys, tmp_path, space):
    out = tmp_path / "tuned"
    front = ("--objective", "ex,tokens", "--orders", "0,1", "--holdout", "none")
    tune = ("tune", "merit", *MINI, *LM, *space, *front, "--trials", "5", "--workers", "2", "--out", str(out))
    code, text, err = call(capsys, *tune, "--json")
    assert code == 0, err
    result = json.loads(text)
    assert result["trials"] == {"asked": 5, "complete": 5, "pruned": 0, "fail": 0, "again": 0}
    assert len({str(trial["settings"]) for trial in result["history"]}) == 5
    assert result["train"]["orders"] == [0, 1]
    assert result["holdout"] is None
    for member in result["front"]:
        load_preset(out / "front" / f"trial{member['number']}.yaml")


def test_a_worker_that_fails_is_told(capsys, tmp_path, space, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    (tmp_path / "once.py").write_text(
        "import os, sys\n"
        "from tests.simulator import make as simulated\n"
        "def make():\n"
        "    if '--worker' in sys.argv: raise ValueError('no model here')\n"
        "    return simulated()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    tune = ("tune", "merit", *MINI, "--lm", "once:make", *space, "--trials", "3", "--workers", "2")
    code, text, err = call(capsys, *tune, "--out", str(tmp_path / "tuned"))
    assert code == 0
    assert "no model here" in err
    assert "best.yaml" in text


def test_what_if_needs_a_run_alone(capsys, tmp_path):
    run = tmp_path / "run"
    assert call(capsys, "run", "merit", *MINI, *LM, "--out", str(run))[0] == 0
    code, text, _ = call(capsys, "tune", "--what-if", str(run), "--embedder", "hash", "--json")
    assert code == 0
    found = json.loads(text)
    assert found["recalls"] == found["reproduced"]
    code, text, _ = call(capsys, "tune", "--what-if", str(run), "--embedder", "hash")
    assert code == 0
    assert "recall.top_k.positive" in text


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        (("--benchmark", "minni"), "mini"),
        (("--objective", "exx"), "exx"),
        (("--orders", "a"), "whole numbers"),
        (("--orders", "0,0"), "distinct"),
        (("--holdout", "2"), "between 0 and 1"),
        (("--holdout", "nosuch:x"), "nosuch"),
        (("--holdout-sample", "3"), "--holdout SPEC"),
        (("--space", "missing.yaml"), "missing.yaml"),
        (("--storage", "study.db"), "sqlite:///"),
        (("--memo", "off"), "memo"),
        (("--set", "recall.dense=0.5"), "add up to 1"),
        (("--storage", "nosuch://host/db"), "no address"),
        (("--workers", "0"), "workers"),
    ],
)
def test_bad_input_is_exit_2(capsys, tmp_path, changes, says):
    out = tmp_path / "tuned"
    code, text, err = call(capsys, "tune", "merit", *MINI, *LM, "--out", str(out), *changes)
    assert (code, text) == (2, "")
    assert says in err.replace("\n", " ")
    assert not out.exists()


@pytest.mark.parametrize(
    ("more", "says"),
    [
        (("merit",), "no PROGRAM"),
        (("--budget", "1"), "no --budget"),
        (("--set", "recall.dense=1"), "no --set"),
        (("--sample", "3"), "no --sample"),
    ],
)
def test_what_if_refuses_what_it_would_ignore(capsys, tmp_path, more, says):
    code, _, err = call(capsys, "tune", "--what-if", str(tmp_path), *more)
    assert code == 2
    assert says in err


def test_no_program_and_no_run_is_exit_2(capsys):
    code, _, err = call(capsys, "tune")
    assert code == 2
    assert "--what-if" in err


def test_the_holdout_may_be_the_rest_of_the_world(capsys, tmp_path):
    code, _, err = call(
        capsys, "tune", "merit", *MINI, *LM, "--holdout", "mini", "--out", str(tmp_path / "tuned")
    )
    assert code == 2
    assert "paraphrase" in err


def test_a_program_whose_memory_stays_empty_is_exit_2(capsys, tmp_path):
    code, _, err = call(capsys, "tune", "cards", *MINI, *LM, "--out", str(tmp_path / "tuned"))
    assert code == 2
    assert "none of its steps writes" in err.replace("\n", " ")
    assert "--what-if" in err.replace("\n", " ")
