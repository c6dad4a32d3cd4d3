"""`sqlmend label` from the outside."""

from __future__ import annotations

import csv
import json

import pytest

from tests.cli.calls import call
from tests.eval.measures.comparisons import BROKEN, RIGHT, WRONG, Hand, episode, questions

ASKED = questions(0, 1, 2, 3)


@pytest.fixture
def folder(tmp_path):
    made = Hand(tmp_path / "cmp", ASKED, remembering=(), plain=("one",), orders=(0,)).begin()
    made.run("one", "allow", 0, [episode(q, WRONG, BROKEN, RIGHT) for q in ASKED])
    return made.folder


def test_a_sample_is_labelled_and_scored(capsys, tmp_path, folder):
    file = tmp_path / "labels.csv"
    code, text, _ = call(capsys, "label", "sample", str(folder), "--n", "6", "--out", str(file), "--json")
    assert code == 0
    document = json.loads(text)
    assert (document["sampled"], document["population"]) == (6, 8)
    with file.open(encoding="utf-8-sig", newline="") as lines:
        rows = list(csv.DictReader(lines))
    for row in rows:
        row["label"] = "syntax" if row["predicted"] == "syntax" else "filter_value"
    with file.open("w", encoding="utf-8", newline="") as lines:
        writer = csv.DictWriter(lines, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    code, text, _ = call(capsys, "label", "score", str(file), "--json")
    assert code == 0
    assert json.loads(text)["accuracy_weighted"] == 0.5
    code, text, _ = call(capsys, "label", "score", str(file))
    assert code == 0
    assert "Accuracy 50.0% weighted to the population" in text
    assert "macro-F1 33.3%" in text


def test_figures_of_the_covered_types_say_so(capsys, tmp_path):
    file = tmp_path / "labels.csv"
    file.write_text("label,predicted,population\nsyntax,syntax,10\n,schema_linking,90\n")
    code, text, _ = call(capsys, "label", "score", str(file))
    assert code == 0
    said = " ".join(text.split())
    assert "for 10 of 100 failures" in said
    assert "Accuracy 100.0% weighted to the covered types" in said
    assert "macro-F1 of the covered types 100.0%" in said
    assert "to the population" not in said
    (row,) = [line.split() for line in text.splitlines() if "schema_linking" in line]
    assert row[-3:] == ["-", "-", "-"]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("sample", "no-such-folder", "--out", "x.csv"), "neither a run nor a comparison"),
        (("sample", ".", "--n", "0", "--out", "x.csv"), "--n"),
        (("sample", "."), "--out"),
        (("score", "missing.csv"), "cannot be read"),
    ],
)
def test_bad_input_is_exit_2(capsys, tmp_path, monkeypatch, arguments, says):
    monkeypatch.chdir(tmp_path)
    code, text, err = call(capsys, "label", *arguments)
    assert (code, text) == (2, "")
    assert says in err.replace("\n", " ")
    assert list(tmp_path.iterdir()) == []


def test_an_earlier_file_is_left_as_it_is(capsys, tmp_path, folder):
    (tmp_path / "labels.csv").write_text("work")
    code, _, err = call(capsys, "label", "sample", str(folder), "--out", str(tmp_path / "labels.csv"))
    assert code == 2
    assert "not written over" in err
    assert (tmp_path / "labels.csv").read_text() == "work"
