import csv
import io
import json

from sqlmend.eval.report import write_study_report
from tests.eval.report.study_documents import SETTINGS, STRIDES, document, hostile, html, unfinished


def rows(text):
    return list(csv.DictReader(io.StringIO(text)))


def test_a_line_for_each_design_and_setting(tmp_path, monkeypatch):
    monkeypatch.setattr("sqlmend.eval.report._write.render_html", lambda page: html(document))
    known = document()
    files = write_study_report(tmp_path, known)
    assert [file.name for file in files] == ["results.json", "results.csv", "report.md", "report.html"]
    assert json.loads(files[0].read_text("utf-8")) == known
    found = rows(files[1].read_text("utf-8"))
    assert [(row["design"], row["setting"]) for row in found] == [
        (design.key, setting) for design in STRIDES for setting in SETTINGS
    ]
    for row, level in zip(found, known["levels"], strict=True):
        assert float(row["ex"]) == level["ex"]["value"]
        assert float(row["gain_low"]) == level["gain"]["low"]
        assert float(row["gain_equivalence_p"]) == level["gain"]["equivalence"]["p"]
    by_design = {(row["design"], row["setting"]): row for row in found}
    assert by_design["default", "transfer"]["against"] == by_design["default", "transfer"]["difference"] == ""
    assert by_design["k-1", "transfer"]["against"] == "default design"
    assert (by_design["k-1", "replay"]["k"], by_design["k-1", "replay"]["fraction"]) == ("1", "1")


def test_hostile_text_is_inert_in_every_file(tmp_path, monkeypatch):
    monkeypatch.setattr("sqlmend.eval.report._write.render_html", lambda page: html(hostile))
    known = hostile()
    known["designs"] = [row | {"values": row["values"] | {"source": "=1+1"}} for row in known["designs"]]
    files = {file.name: file.read_text("utf-8") for file in write_study_report(tmp_path, known)}
    cells = [cell for row in csv.reader(io.StringIO(files["results.csv"])) for cell in row]
    assert "'=1+1" in cells
    assert not [cell for cell in cells if cell.startswith(("=", "+", "@"))]
    assert not [
        cell for cell in cells if cell.startswith("-") and not cell.lstrip("-").replace(".", "").isdigit()
    ]
    for text in (files["report.html"], files["report.md"]):
        assert not [c for c in text if c in "\x00\x1b\u202e"]


def test_a_study_that_has_only_begun_has_its_files_too(tmp_path):
    files = write_study_report(tmp_path, unfinished())
    assert all(file.exists() for file in files)
    assert rows(files[1].read_text("utf-8")) == []
