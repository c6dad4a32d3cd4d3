import copy
import json
import pickle
import shutil
import sqlite3

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval import load_benchmark

SENTINEL = "zq_reference_sentinel"


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "spider"
    for name in ("a", "b"):
        (folder / "database" / name).mkdir(parents=True)
        with sqlite3.connect(folder / f"database/{name}/{name}.sqlite") as connection:
            connection.execute("CREATE TABLE t (x)")
    write(folder, [row("a", 0), row("b", 1), row("a", 0), row("a", 2), row("b", 3)])
    return folder


def row(db_id, i):
    return {"db_id": db_id, "question": f"q{i}?", "query": f"SELECT {i} AS {SENTINEL}"}


def write(folder, rows):
    (folder / "dev.json").write_text(json.dumps(rows))


def load(folder):
    return load_benchmark(f"spider:{folder}")


def ids(benchmark):
    return [question.id for question in benchmark.questions]


def test_selection_keeps_the_order_of_the_split(folder):
    benchmark = load(folder)
    assert ids(benchmark.select(databases=["b"])) == ["1", "4"]
    assert ids(benchmark.select(databases=["b", "a"], limit=3)) == ["0", "1", "2"]
    assert ids(benchmark.select(databases=["a"], limit=2, sample="5")) == ["0", "2"]
    assert ids(benchmark.select(sample="5:1")) == ids(benchmark.select()) == ids(benchmark)
    assert len(benchmark.select(sample="2:9").questions) == 2


def test_selection_names_a_database_that_is_not_there(folder):
    with pytest.raises(InputError, match="unknown database of the benchmark 'c'"):
        load(folder).select(databases=["a", "c"])
    with pytest.raises(InputError, match=r"no question of databases \(none given\)"):
        load(folder).select(databases=[])


def test_questions_left_out_are_counted_for_the_databases_that_are_asked(folder):
    shutil.rmtree(folder / "database/b")
    benchmark = load(folder)
    assert benchmark.left_out == benchmark.select().left_out == {"b": 2}
    assert benchmark.select(databases=["a", "b"]).left_out == {"b": 2}
    assert benchmark.select(databases=["a"]).left_out == {}
    with pytest.raises(InputError, match=r"no question of databases b \(their files are not here: b\)"):
        benchmark.select(databases=["b"])


def test_questions_left_out_are_those_that_would_have_been_chosen(folder):
    whole = load(folder)
    shutil.rmtree(folder / "database/b")
    benchmark = load(folder)
    assert ids(benchmark.select(limit=2)) == ["0", "2"]
    assert benchmark.select(limit=1).left_out == {}
    assert benchmark.select(limit=2).left_out == benchmark.select(limit=4).left_out == {"b": 1}
    assert benchmark.select(limit=4).select(limit=5).left_out == {"b": 1}
    for sample in ("1", "2", "3:1", "1/db", "9"):
        for narrowed in ({}, {"limit": 4}):
            drawn = whole.select(sample=sample, **narrowed).questions
            missing = sum(question.db_id == "b" for question in drawn)
            found = benchmark.select(sample=sample, **narrowed).left_out
            assert found == ({"b": missing} if missing else {})
    assert benchmark.select(ids=["0"]).left_out == {}


@pytest.mark.parametrize("limit", [2, 4, 5, 7])
@pytest.mark.parametrize("sample", ["1", "2", "3", "3:1", "2/db"])
def test_a_sample_of_the_first_ones_is_drawn_from_them_whether_they_are_here_or_not(folder, limit, sample):
    write(folder, [row("ab"[name == "A"], n) for n, name in enumerate("PAPAPPAP")])
    drawn = load(folder).select(limit=limit, sample=sample).questions
    shutil.rmtree(folder / "database/b")
    missing = sum(question.db_id == "b" for question in drawn)
    left_out = load(folder).select(limit=limit, sample=sample).left_out
    assert left_out == ({"b": missing} if missing else {})


def test_groups_keep_their_ordinals_in_a_selection(folder):
    benchmark = load(folder)
    assert benchmark.groups == {"0": 0, "1": 1, "2": 0, "3": 2, "4": 3}
    assert benchmark.select(databases=["b"]).groups == {"1": 1, "4": 3}


def test_databases_are_opened_once_and_closed_together(folder):
    with load(folder) as benchmark:
        assert benchmark.open("a") is benchmark.open("a")
        assert benchmark.open("a").path == folder / "database/a/a.sqlite"
        with pytest.raises(InputError, match="unknown database of the benchmark 'c'"):
            benchmark.open("c")


def test_equal_content_hashes_equally_wherever_it_lies(folder, tmp_path):
    moved = tmp_path / "elsewhere"
    shutil.copytree(folder, moved)
    assert load(folder).data_hash == load(moved).data_hash
    assert load(folder).data_hash.startswith("sha256:")
    assert len(load(folder).data_hash) == 7 + 64


def test_the_hash_covers_what_is_asked_and_nothing_else(folder):
    whole = load(folder).data_hash
    only_a = load(folder).select(databases=["a"]).data_hash
    with sqlite3.connect(folder / "database/b/b.sqlite") as connection:
        connection.execute("INSERT INTO t VALUES (1)")
    assert load(folder).data_hash != whole
    assert load(folder).select(databases=["a"]).data_hash == only_a != whole


@pytest.mark.parametrize(
    "rows",
    [
        [row("a", 0), row("b", 1), row("a", 0), row("a", 2), row("b", 4)],
        [row("a", 0), row("b", 1), row("a", 0), row("a", 2)],
        [row("b", 1), row("a", 0), row("a", 0), row("a", 2), row("b", 3)],
        [row("a", 0), row("b", 1), row("a", 0), row("a", 2), {**row("b", 3), "query": "SELECT 3"}],
    ],
    ids=["another question", "a question less", "another order of positions", "another reference"],
)
def test_the_hash_changes_with_the_questions(folder, rows):
    before = load(folder).data_hash
    write(folder, rows)
    assert load(folder).data_hash != before


def test_references_are_shown_by_nothing(folder):
    benchmark = load(folder)
    assert benchmark.groups
    assert benchmark.data_hash
    shown = [repr(benchmark), str(vars(benchmark)), repr(benchmark.questions), str(pickle.dumps(benchmark))]
    shown += [repr(vars(part)) for part in vars(benchmark).values() if hasattr(part, "__dict__")]
    shown += [str(pickle.dumps(benchmark.questions)), repr(benchmark._split), repr(copy.deepcopy(benchmark))]
    assert not [text for text in shown if SENTINEL in text]


def test_a_copy_is_asked_from_and_not_judged_by(folder):
    benchmark = pickle.loads(pickle.dumps(load(folder)))
    assert benchmark.questions == load(folder).questions
    assert benchmark.open("a")
    with pytest.raises(SqlmendError, match="no references"):
        benchmark.oracle()


def test_the_oracle_judges_the_chosen_questions_by_the_benchmarks_own_definition(folder):
    with load(folder).select(databases=["a"]) as benchmark:
        oracle = benchmark.oracle()
        assert oracle.judge("0", "a", "SELECT 0").outcome == "match"
        assert oracle.judge("3", "a", "SELECT 0").outcome == "mismatch"
        assert SENTINEL not in repr(oracle)


def test_every_file_of_a_test_suite_must_match(folder):
    with sqlite3.connect(folder / "database/a/a_1.sqlite") as connection:
        connection.execute("CREATE TABLE t (x)")
        connection.execute("INSERT INTO t VALUES (1)")
    write(folder, [{"db_id": "a", "question": "q?", "query": "SELECT count(*) FROM t"}])
    with load(folder) as benchmark:
        assert benchmark.oracle().judge("0", "a", "SELECT 0").outcome == "mismatch"
        verdict = benchmark.oracle().judge(
            "0", "a", "SELECT sum(1) - 0 FROM (SELECT 1 UNION ALL SELECT x FROM t)"
        )
        assert verdict.outcome == "mismatch"
        assert benchmark.oracle().judge("0", "a", "SELECT count(x) FROM t").databases == 2
