"""`sqlmend crystallize` from the outside: what it prints, writes and refuses, and its bank in use."""

from __future__ import annotations

import json
import shutil

import pytest

from sqlmend.cli import main
from tests.cli.calls import call

MINI = tuple(
    "--benchmark mini --sample 16 --lm tests.simulator:make --embedder hash --vary k=1 --resamples 99".split()
)


@pytest.fixture(autouse=True)
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "home"))


@pytest.fixture(scope="module")
def finished(tmp_path_factory):
    """A finished study's folder."""
    root = tmp_path_factory.mktemp("crystallize")
    with pytest.MonkeyPatch.context() as patch, pytest.raises(SystemExit) as stop:
        patch.setenv("SQLMEND_HOME", str(root / "home"))
        main(["crystallize", *MINI, "--out", str(root / "cry")])
    assert not stop.value.code
    return root / "cry"


def test_the_folder_holds_a_bank_results_and_a_report(finished):
    names = {"crystallization.json", "bank", "results.json", "results.csv", "report.md", "report.html"}
    assert names <= {item.name for item in finished.iterdir()}
    document = json.loads((finished / "results.json").read_text("utf-8"))
    assert document["complete"]
    assert {row["design"] for row in document["levels"]} == {"default", "k-1"}


def test_what_measures_all_that_is_named_in_advance_is_said(finished, capsys):
    with pytest.raises(SystemExit):
        main(["crystallize", "--help"])
    assert "--vary admission,k,pairing" in capsys.readouterr().out
    said = (finished / "report.md").read_text("utf-8")
    assert "k = 10 against k = 1 (--vary k)" in said
    assert "aligned against permuted pairs (--vary pairing)" in said


def test_the_same_document_on_stdout_when_it_is_resumed(finished, capsys, monkeypatch):
    monkeypatch.setattr("sqlmend.eval.report.write_study_report", lambda *_: [], raising=False)
    code, out, _ = call(capsys, "crystallize", *MINI, "--out", str(finished), "--resume", "--json")
    assert code == 0
    assert json.loads(out) == json.loads((finished / "results.json").read_text("utf-8"))


def test_its_bank_answers_questions(finished, capsys, tmp_path):
    run = ("run", "cards", "--bank", str(finished / "bank"), "--sample", "2", *MINI[:2], *MINI[4:8])
    code, out, err = call(capsys, *run, "--out", str(tmp_path / "run"), "--json")
    assert code == 0, err
    assert json.loads(out)["n"] == 2


@pytest.mark.parametrize(
    ("more", "words"),
    [
        (("--vary", "kay=1"), "axis"),
        (("--vary", "k=many"), "number"),
        (("--seeds", "a"), "whole numbers"),
        (("--seeds", "1,1"), "different whole numbers"),
        (("--seeds", "1,1000001"), "from 0 to 1,000,000"),
        (("--margin", "0"), "margin"),
    ],
)
def test_what_is_no_study_is_refused(capsys, tmp_path, more, words):
    code, _, err = call(capsys, "crystallize", *MINI, "--out", str(tmp_path / "cry"), *more)
    assert code == 2
    assert words in " ".join(err.split())
    assert not (tmp_path / "cry").exists()


def test_another_study_is_not_written_over(finished, capsys):
    code, _, err = call(capsys, "crystallize", *MINI, "--out", str(finished))
    assert code == 2
    assert "--resume" in err


def test_its_report_is_made_again_from_what_is_on_disk(finished, capsys, tmp_path):
    folder = shutil.copytree(finished, tmp_path / "cry")
    names = ["results.json", "results.csv", "report.md", "report.html"]
    first = {name: (folder / name).read_bytes() for name in names}
    (folder / "report.md").unlink()
    shutil.rmtree(folder / "use" / "replay" / "k-1")
    code, out, err = call(capsys, "report", str(folder), "--json")
    assert code == 0, err
    assert json.loads(out) == {"complete": False, "files": names}
    assert "not finished: use/replay/k-1/all" in err
    assert "Not complete: 1 run is not finished" in (folder / "report.md").read_text("utf-8")
    code, out, _ = call(capsys, "report", str(finished))
    assert [line.rpartition("/")[2] for line in out.splitlines()] == names
    assert {name: (finished / name).read_bytes() for name in names} == first
