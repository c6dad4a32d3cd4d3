import csv
import io
import json

from sqlmend.eval.report import write_report
from tests.eval.report.documents import ATTACK, document, hostile, html


def test_all_files_say_the_same(tmp_path):
    known = document()
    files = write_report(tmp_path, known)
    names = ["results.json", "results.csv", "by_question.csv", "report.md", "report.html"]
    assert [file.name for file in files] == names
    assert json.loads(files[0].read_text("utf-8")) == known
    rows = list(csv.DictReader(io.StringIO(files[1].read_text("utf-8"))))
    assert len(rows) == len(known["runs"])
    for row, run in zip(rows, known["runs"], strict=True):
        assert row["same_group"] == (run["same_group"] or "")
        assert float(row["ex_after"]) == run["ex_after"]
        assert int(row["order"]) == run["order"]
    costs = list(csv.DictReader(io.StringIO(files[2].read_text("utf-8"))))
    assert [{key: float(row[key]) for key in row if key.startswith("tokens")} for row in costs] == [
        {key: value for key, value in row.items() if key.startswith("tokens")} for row in known["by_question"]
    ]
    assert files[4].read_text("utf-8") == html(document)  # a report of the same is the same
    for text in (files[3].read_text("utf-8"), files[4].read_text("utf-8")):
        for number in ("72.5", "45.0", "85.7"):
            assert number in text


def test_hostile_text_is_inert_in_every_file(tmp_path, monkeypatch):
    monkeypatch.setattr("sqlmend.eval.report._write.render_html", lambda page: html(hostile))
    known = hostile()
    for run in known["runs"]:
        run["program"] = ATTACK
    files = {file.name: file.read_text("utf-8") for file in write_report(tmp_path, known)}
    for row in csv.reader(io.StringIO(files["results.csv"])):
        assert not [cell for cell in row if cell.startswith(("=", "+", "@"))]
    assert json.loads(files["results.json"])["title"] == known["title"]
    assert "<script>window" not in files["report.html"]
    for text in (files["report.html"], files["report.md"]):
        assert not [c for c in text if c in "\x00\x1b\u202e"]
