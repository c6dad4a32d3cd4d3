"""The bundled benchmark as it is loaded; what its data must be like is in test_mini_data.py."""

import json
import sqlite3
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

import sqlmend.eval
from sqlmend.errors import SqlmendError
from sqlmend.eval import DEFINITIONS, Item, evaluate_batch, load_benchmark
from sqlmend.eval._mini import _build, _move

MINI = Path(sqlmend.eval.__file__).parent / "data" / "mini"
ROWS = [json.loads(line) for line in (MINI / "questions.jsonl").read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    return tmp_path_factory.mktemp("home")


@pytest.fixture
def mini(home, monkeypatch):
    monkeypatch.setenv("SQLMEND_HOME", str(home))
    with load_benchmark("mini") as benchmark:
        yield benchmark


def test_all_questions_have_their_database(mini):
    assert mini.name == "mini"
    assert mini.left_out == {}
    assert [question.id for question in mini.questions] == [row["question_id"] for row in ROWS]
    assert mini.questions[0].text == ROWS[0]["question"]
    assert {question.difficulty for question in mini.questions} == {row["difficulty"] for row in ROWS}
    assert mini.db_ids == tuple(sorted(path.stem for path in (MINI / "databases").glob("*.sql")))


@pytest.mark.parametrize("definition", DEFINITIONS)
def test_references_as_predictions_are_all_right(mini, definition):
    verdicts = evaluate_batch(
        mini.oracle(definition), [Item(row["question_id"], row["db_id"], row["SQL"]) for row in ROWS]
    )
    wrong = {
        row["question_id"]: (verdict.outcome, verdict.flags)
        for row, verdict in zip(ROWS, verdicts, strict=True)
        if verdict.score != 1 or set(verdict.flags) & {"gold_failed", "gold_undetermined", "clock_dependent"}
    }
    assert wrong == {}


def test_the_data_hash_does_not_depend_on_where_the_databases_were_built(mini, tmp_path, monkeypatch):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path))
    elsewhere = load_benchmark("mini")
    assert elsewhere.files("clinic")[0].is_relative_to(tmp_path)
    assert elsewhere.data_hash == mini.data_hash


def test_databases_are_built_once(mini):
    file = mini.files("clinic")[0]
    before = file.stat().st_mtime_ns, file.stat().st_ino
    load_benchmark("mini")
    assert (file.stat().st_mtime_ns, file.stat().st_ino) == before


def test_all_who_build_at_once_leave_one_whole_folder(tmp_path, monkeypatch):
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path))
    scripts = dict.fromkeys("abc", "CREATE TABLE t (x);" + "INSERT INTO t VALUES (1);" * 500)
    together = threading.Barrier(4)

    def build(_):
        together.wait()
        return _build(scripts)

    with ThreadPoolExecutor(4) as executor:
        built = list(executor.map(build, range(4)))
    assert built == [built[0]] * 4
    assert len(list((tmp_path / "mini").iterdir())) == 1
    for (file,) in built[0].values():
        with closing(sqlite3.connect(file)) as connection:
            assert connection.execute("SELECT count(*) FROM t").fetchone() == (500,)


def test_who_was_slower_takes_the_folder_that_is_there(tmp_path):
    for name in ("ours", "theirs"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "who").write_text(name)
    _move(tmp_path / "ours", tmp_path / "theirs")
    assert (tmp_path / "theirs" / "who").read_text() == "theirs"
    with pytest.raises(OSError, match="No such file"):
        _move(tmp_path / "ours", tmp_path / "absent" / "folder")


def test_a_cache_folder_that_cannot_be_written_says_what_to_do(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path / "file"))
    with pytest.raises(SqlmendError, match="set SQLMEND_HOME"):
        load_benchmark("mini")
