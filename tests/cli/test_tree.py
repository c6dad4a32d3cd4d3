"""`sqlmend tree`: the reasoning of one question of a run, in four formats."""

import json

import pytest

from tests.cli.calls import call
from tests.eval.runs import episodes, start
from tests.reasoner import answer


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    out = tmp_path_factory.mktemp("tree") / "run"
    start(out, "sdam_small", sets=(), sample="4", reply=answer)
    return out


@pytest.fixture
def question_id(run):
    return episodes(run)[0]["question_id"]


def test_the_text_names_every_candidate_and_where_they_part(run, question_id, capsys):
    code, shown, _ = call(capsys, "tree", str(run), question_id)
    assert code == 0
    assert shown.startswith("question: ")
    for label in ("c1", "c2", "c3"):
        assert label in shown


@pytest.mark.parametrize(
    ("form", "begins"), [("mermaid", "graph TD"), ("svg", "<svg "), ("html", "<!doctype html>")]
)
def test_other_formats_go_to_stdout_or_a_file(run, question_id, capsys, tmp_path, form, begins):
    _, shown, _ = call(capsys, "tree", str(run), question_id, "--format", form)
    assert shown.startswith(begins)
    file = tmp_path / "tree.txt"
    code, _, _ = call(capsys, "tree", str(run), question_id, "--format", form, "--out", str(file))
    assert code == 0
    assert file.read_text("utf-8") == shown


def test_json_is_one_document(run, question_id, capsys):
    _, shown, _ = call(capsys, "tree", str(run), question_id, "--json")
    document = json.loads(shown)
    assert document["question_id"] == question_id
    assert document["tree"]["roots"]


def test_what_is_not_there_is_said(run, capsys, tmp_path):
    code, _, told = call(capsys, "tree", str(run), "no-such-question")
    assert (code, "unknown question" in told) == (2, True)
    code, _, told = call(capsys, "tree", str(tmp_path), "x")
    assert (code, "is no folder of a run" in told) == (2, True)
    start(tmp_path / "merit", sample="2")
    code, _, told = call(
        capsys, "tree", str(tmp_path / "merit"), episodes(tmp_path / "merit")[0]["question_id"]
    )
    assert (code, "has no reasoning tree" in told) == (2, True)


def test_the_memory_lists_rules_with_anchors_and_origin(run, capsys):
    _, shown, _ = call(capsys, "memory", "list", str(run), "--kind", "rules", "--type", "domain", "--json")
    records = json.loads(shown)["records"]
    assert records
    assert all(record["anchors"] and record["origin"] for record in records)
    _, shown, _ = call(capsys, "memory", "list", str(run), "--kind", "rules")
    assert records[0]["anchors"][0].split(".")[0] in shown
