import json
from pathlib import Path

import pytest

import sqlmend
import sqlmend.eval
from sqlmend.cli import main
from sqlmend.errors import SqlmendError

MINI = Path(sqlmend.eval.__file__).parent / "data" / "mini" / "questions.jsonl"
QUESTIONS = [json.loads(line) for line in MINI.read_text(encoding="utf-8").splitlines()]
REFERENCES = {question["question_id"]: question["SQL"] for question in QUESTIONS}
IDS = list(REFERENCES)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def sqlmend_eval(home, monkeypatch, capsys):
    """Run ``sqlmend eval`` in this process: exit code, stdout, stderr."""
    monkeypatch.setenv("SQLMEND_HOME", str(home))

    def run(*arguments):
        with pytest.raises(SystemExit) as stop:
            main(["eval", *map(str, arguments)])
        captured = capsys.readouterr()
        return stop.value.code, captured.out, captured.err

    return run


@pytest.fixture
def predictions(tmp_path):
    def write(content, name="predictions.json"):
        path = tmp_path / name
        path.write_text(content if isinstance(content, str) else json.dumps(content))
        return path

    return write


def verdicts(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_help_ends_with_an_example(sqlmend_eval):
    code, out, _ = sqlmend_eval("--help")
    assert code == 0
    assert out.rstrip().splitlines()[-1].split()[:3] == ["sqlmend", "eval", "predictions.json"]


def test_verdicts_in_the_order_of_the_benchmark_and_one_document(sqlmend_eval, predictions, tmp_path):
    chosen = IDS[:4]
    answers = {
        chosen[3]: "SELECT 'no such answer'",
        chosen[2]: "SELECT 1 FROM nowhere",
        chosen[0]: REFERENCES[chosen[0]],
        chosen[1]: "",
    }
    target = tmp_path / "out" / "verdicts.jsonl"
    code, out, _ = sqlmend_eval(
        predictions(answers), "--benchmark", "mini", "--limit", 4, "--out", target, "--json"
    )
    assert code == 0
    rows = verdicts(target)
    assert [list(row) for row in rows] == [
        ["question_id", "db_id", "score", "outcome", "flags", "diagnostics", "definition"]
    ] * 4
    assert [(row["question_id"], row["score"], row["outcome"]) for row in rows] == [
        (chosen[0], 1, "match"),
        (chosen[1], 0, "no_statement"),
        (chosen[2], 0, "unknown_table"),
        (chosen[3], 0, "mismatch"),
    ]
    document = json.loads(out)
    assert document.pop("data_hash").startswith("sha256:")
    assert document == {
        "benchmark": "mini",
        "definition": "bag",
        "n": 4,
        "correct": 1,
        "ex": 0.25,
        "outcomes": {"match": 1, "no_statement": 1, "unknown_table": 1, "mismatch": 1},
        "flags": {},
        "left_out": {},
        "missing": 0,
        "unknown": 0,
        "duplicate": 0,
        "timeout_s": 30.0,
        "float_tolerance": None,
        "version": sqlmend.__version__,
    }


def test_for_people_a_table_on_stdout(sqlmend_eval, predictions):
    code, out, _ = sqlmend_eval(
        predictions(REFERENCES), "--benchmark", "mini", "--databases", "clinic, web_shop", "--sample", "3:1"
    )
    assert code == 0
    assert "mini: 3 of 3 right, EX 100.0% by definition bag" in out
    assert "match" in out


@pytest.mark.parametrize("definition", ["bird", "ordered"])
def test_another_definition_is_named_in_every_verdict(definition, sqlmend_eval, predictions, tmp_path):
    target = tmp_path / "v.jsonl"
    choice = ["--benchmark", "mini", "--limit", 2, "--definition", definition]
    code, out, _ = sqlmend_eval(predictions(REFERENCES), *choice, "--out", target, "--json")
    assert code == 0
    assert json.loads(out)["definition"] == definition
    assert {row["definition"] for row in verdicts(target)} == {definition}


def test_numbers_within_the_tolerance_are_equal(sqlmend_eval, predictions):
    key, reference = next(item for item in REFERENCES.items() if item[1].startswith("SELECT COUNT(*)"))
    shifted = predictions({key: f"SELECT n + 0.001 FROM (SELECT ({reference}) AS n)"})
    common = [shifted, "--benchmark", "mini", "--partial", "--json"]
    assert json.loads(sqlmend_eval(*common)[1])["correct"] == 0
    assert json.loads(sqlmend_eval(*common, "--float-tolerance", 0.01)[1])["correct"] == 1


def test_ids_by_position(sqlmend_eval, predictions):
    by_position = predictions({str(i): REFERENCES[key] for i, key in enumerate(IDS)})
    choice = ["--benchmark", "mini", "--sample", 3, "--json"]
    assert sqlmend_eval(by_position, *choice)[0] == 2
    code, out, _ = sqlmend_eval(by_position, *choice, "--ids", "position")
    assert (code, json.loads(out)["correct"]) == (0, 3)


def test_ids_that_do_not_fit_are_named_and_nothing_is_written(sqlmend_eval, predictions, tmp_path):
    target = tmp_path / "v.jsonl"
    file = predictions({IDS[0]: "SELECT 1", "x\x1b[31m[red]": "SELECT 1"})
    code, out, err = sqlmend_eval(file, "--benchmark", "mini", "--limit", 2, "--out", target)
    assert code == 2
    assert out == ""
    assert f"1 missing (of 2 questions): {IDS[1]}" in err
    assert "1 unknown to the benchmark: x\\x1b[31m[red]" in err
    assert "--partial" in err
    assert not target.exists()


def test_partial_judges_what_fits_and_counts_the_rest(sqlmend_eval, predictions, tmp_path):
    target = tmp_path / "v.jsonl"
    file = predictions(f'{{"{IDS[0]}": "", "{IDS[0]}": {json.dumps(REFERENCES[IDS[0]])}, "x": ""}}')
    code, out, err = sqlmend_eval(
        file, "--benchmark", "mini", "--limit", 3, "--out", target, "--partial", "--json"
    )
    document = json.loads(out)
    assert code == 0
    assert [document[name] for name in ("n", "correct", "missing", "unknown", "duplicate")] == [1, 1, 2, 1, 1]
    assert "1 of 3 questions have a prediction" in err
    assert len(verdicts(target)) == 1


def test_nothing_to_judge_is_bad_input(sqlmend_eval, predictions):
    code, _, err = sqlmend_eval(predictions("{}"), "--benchmark", "mini", "--partial")
    assert code == 2
    assert "a prediction for none of the questions" in err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--benchmark", "mimi"], "unknown benchmark 'mimi'"),
        (["--benchmark", "mini", "--definition", "brid"], "did you mean bird"),
        (["--benchmark", "mini", "--databases", "clinics"], "did you mean clinic"),
        (["--benchmark", "mini", "--sample", "x"], "N or N:SEED"),
        (["--benchmark", "mini", "--limit", "0"], "--limit"),
        (["--benchmark", "mini", "--timeout", "0"], "--timeout"),
        (["--benchmark", "mini", "--float-tolerance", "-1"], "--float-tolerance"),
        ([], "--benchmark"),
    ],
)
def test_bad_input(arguments, said, sqlmend_eval, predictions):
    code, out, err = sqlmend_eval(predictions(REFERENCES), *arguments)
    assert (code, out) == (2, "")
    assert said in err


def test_predictions_that_are_not_there(sqlmend_eval, tmp_path):
    code, _, err = sqlmend_eval(tmp_path / "absent.json", "--benchmark", "mini")
    assert code == 2
    assert "absent.json" in err
    assert "expected a JSON object" in err


def test_earlier_verdicts_are_replaced_and_other_files_are_not(sqlmend_eval, predictions, tmp_path):
    file = predictions(REFERENCES)
    target = tmp_path / "v.jsonl"
    choice = [file, "--benchmark", "mini"]
    assert sqlmend_eval(*choice, "--limit", 2, "--out", target)[0] == 0
    assert sqlmend_eval(*choice, "--limit", 1, "--out", target)[0] == 0
    assert len(verdicts(target)) == 1
    for other in (file, tmp_path):
        code, _, err = sqlmend_eval(*choice, "--limit", 1, "--out", other)
        assert code == 2
        assert "--out" in err
    assert json.loads(file.read_text()) == REFERENCES


def test_a_place_that_cannot_be_written(sqlmend_eval, predictions):
    file = predictions(REFERENCES)
    code, _, err = sqlmend_eval(file, "--benchmark", "mini", "--limit", 1, "--out", file / "v.jsonl")
    assert code == 2
    assert "v.jsonl" in err


def test_a_failure_leaves_the_earlier_file_as_it_was(sqlmend_eval, predictions, tmp_path, monkeypatch):
    target = tmp_path / "v.jsonl"
    choice = [predictions(REFERENCES), "--benchmark", "mini", "--limit", 1, "--out", target]
    assert sqlmend_eval(*choice)[0] == 0
    before = target.read_bytes()

    def broken(*_, **__):
        raise SqlmendError("broken", "the worker is gone")

    monkeypatch.setattr(sqlmend.eval, "evaluate_batch", broken)
    code, _, err = sqlmend_eval(*choice)
    assert code == 1
    assert "the worker is gone" in err
    assert target.read_bytes() == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["predictions.json", "v.jsonl"]


@pytest.mark.parametrize("name", ["bird_chess", "spider_graphix"])
def test_published_predictions_as_they_are(name, sqlmend_eval, shared_dir, tmp_path):
    path = shared_dir / "data" / "verdicts" / f"{name}.jsonl"
    kind = name.partition("_")[0]
    target = tmp_path / "v.jsonl"
    code, out, _ = sqlmend_eval(
        path,
        *("--benchmark", f"{kind}:{shared_dir / 'data' / kind}"),
        *("--definition", kind, "--sample", "12:3", "--out", target, "--json"),
    )
    official = {str(row["question_id"]): row["official_ex"] for row in verdicts(path)}
    assert code == 0
    assert json.loads(out)["left_out"] == ({"wta_1": 2} if kind == "spider" else {})
    ours = {row["question_id"]: row["score"] for row in verdicts(target)}
    assert len(ours) == 12
    assert ours == {key: official[key] for key in ours}
