import json

from tests.cli.calls import call
from tests.eval.comparisons import start


def test_a_report_is_made_again_from_what_is_on_disk(tmp_path, capsys):
    folder = tmp_path / "cmp"
    start(folder, ("iterative", "merit"), sample="6", budget=1)
    code, out, _ = call(capsys, "report", str(folder))
    assert code == 0
    names = ["results.json", "results.csv", "by_question.csv", "report.md", "report.html"]
    assert [line.rpartition("/")[2] for line in out.splitlines()] == names
    first = {name: (folder / name).read_bytes() for name in names}
    (folder / "report.html").unlink()
    code, out, _ = call(capsys, "report", str(folder), "--json")
    assert code == 0
    assert json.loads(out) == {"complete": True, "files": names}
    assert {name: (folder / name).read_bytes() for name in names} == first
    (folder / "runs" / "merit" / "exclude" / "order0" / "summary.json").unlink()
    code, out, err = call(capsys, "report", str(folder), "--json")
    assert code == 0
    assert not json.loads(out)["complete"]
    assert "not finished: merit exclude order 0" in err
    assert "Not complete" in (folder / "report.md").read_text("utf-8")


def test_a_folder_without_a_comparison_is_bad_input(tmp_path, capsys):
    code, out, err = call(capsys, "report", str(tmp_path))
    assert (code, out) == (2, "")
    assert str(tmp_path) in err
    assert "sqlmend crystallize" in " ".join(err.split())
    assert call(capsys, "report", str(tmp_path / "missing"))[0] == 2


def test_help_ends_with_an_example(capsys):
    assert "sqlmend report cmp/" in call(capsys, "report", "--help")[1]
