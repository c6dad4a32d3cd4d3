"""``sqlmend notes measure`` with a simulator."""

from __future__ import annotations

import json

from tests.cli.calls import call

MEASURE = ("notes", "measure", "--lm", "tests.eval.notes_measure.model:make", "--memo", "off", "--draws", "1")


def test_one_document_a_table_and_a_folder(capsys, tmp_path):
    out = tmp_path / "out"
    code, text, _ = call(capsys, *MEASURE, "--out", str(out), "--json")
    assert code == 0
    results = json.loads(text)
    assert results == json.loads((out / "results.json").read_text())
    assert results["rates"]["non_inferable"]["instruction"]["answered"]["rate"] == 1.0
    code, text, _ = call(capsys, *MEASURE, "--out", str(out), "--resume")
    assert code == 0
    assert "15 of 15 first attempts failed and left a note" in text
    assert "100 [100-100]" in text


def test_bad_input(capsys, tmp_path):
    code, _, words = call(capsys, *MEASURE, "--out", str(tmp_path / "out"), "--arms", "nothing,instruct")
    assert (code, "did you mean instruction?" in words) == (2, True)
    code, _, _ = call(capsys, *MEASURE, "--out", str(tmp_path / "out"), "--temperature", "0")
    assert code == 2
    (tmp_path / "file").write_text("x")
    code, _, words = call(capsys, *MEASURE, "--out", str(tmp_path))
    assert (code, "holds no measurement" in words) == (2, True)
