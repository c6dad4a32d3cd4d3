"""Benchmarks by name and folder, over small folders in the layouts of the published downloads."""

import json
import sqlite3

import pytest

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval import load_benchmark

with sqlite3.connect(":memory:") as connection:
    connection.execute("CREATE TABLE t (x)")
    DATABASE = connection.serialize()


def database(path):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(DATABASE)


def spider_rows(*db_ids):
    return [
        {
            "db_id": db_id,
            "question": f"q{i}?",
            "query": f"SELECT {i}",
            "sql": {"from": [["a", 1], {"b": None}]},
        }
        for i, db_id in enumerate(db_ids)
    ]


def bird_rows(*ids, **more):
    return [{"question_id": i, "db_id": "b", "question": f"q{i}?", "SQL": f"SELECT {i}", **more} for i in ids]


def write(path, rows):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(rows))


def ids(benchmark):
    return [question.id for question in benchmark.questions]


@pytest.fixture
def spider(tmp_path):
    folder = tmp_path / "spider"
    write(folder / "dev.json", spider_rows("a", "absent", "b", "a", "absent"))
    write(folder / "train_spider.json", spider_rows("a", "b"))
    write(folder / "train_others.json", spider_rows("b"))
    write(folder / "test.json", spider_rows("c", "a"))
    write(folder / "tables.json", [])
    database(folder / "database/a/a.sqlite")
    database(folder / "database/b/b.sqlite")
    database(folder / "test_database/c/c.sqlite")
    database(folder / "test_database/a/a.sqlite")
    return folder


@pytest.fixture
def bird(tmp_path):
    folder = tmp_path / "bird"
    write(folder / "dev.json", bird_rows(7, 3, evidence="e", difficulty="simple"))
    write(folder / "mini_dev_sqlite.json", bird_rows(3, evidence=None))
    train = [{"db_id": "t", "question": "q?", "evidence": "e", "SQL": "SELECT 1"}] * 2
    write(folder / "train/train.json", train)
    database(folder / "dev_databases/b/b.sqlite")
    database(folder / "train/train_databases/t/t.sqlite")
    return folder


def test_spider_ids_are_positions_and_questions_without_a_database_are_counted(spider):
    benchmark = load_benchmark(f"spider:{spider}")
    assert benchmark.name == "spider:dev"
    assert benchmark.definition == "spider"
    assert ids(benchmark) == ["0", "2", "3"]
    assert benchmark.split_ids == ("0", "1", "2", "3", "4")
    assert benchmark.left_out == {"absent": 2}
    assert benchmark.db_ids == ("a", "b")
    assert benchmark.questions[1].text == "q2?"
    assert benchmark.questions[1].evidence == benchmark.questions[1].difficulty == ""


def test_the_published_train_split_is_two_files(spider):
    benchmark = load_benchmark(f"spider:{spider}:train")
    assert [(q.id, q.db_id) for q in benchmark.questions] == [("0", "a"), ("1", "b"), ("2", "b")]
    assert ids(load_benchmark(f"spider:{spider}:train_others")) == ["0"]
    (spider / "train_others.json").unlink()
    assert ids(load_benchmark(f"spider:{spider}:train")) == ["0", "1"]
    write(spider / "train.json", spider_rows("a"))
    assert ids(load_benchmark(f"spider:{spider}:train")) == ["0"]


def test_a_split_with_its_own_databases(spider):
    benchmark = load_benchmark(f"spider:{spider}:test")
    assert benchmark.files("c") == (spider / "test_database/c/c.sqlite",)
    assert benchmark.files("a") == (spider / "test_database/a/a.sqlite",)


def test_a_test_suite_is_all_sqlite_files_of_the_folder(spider):
    for name in ("a_0.sqlite", "z.sqlite", ".a.sqlite", "a.sqlite.bak"):
        database(spider / "database/a" / name)
    names = [file.name for file in load_benchmark(f"spider:{spider}").files("a")]
    assert names == ["a.sqlite", "a_0.sqlite", "z.sqlite"]


def test_bird_has_its_own_ids_evidence_and_difficulty(bird):
    database(bird / "dev_databases/b/b_backup.sqlite")
    benchmark = load_benchmark(f"bird:{bird}")
    assert benchmark.name == "bird:dev"
    assert benchmark.definition == "bird"
    assert ids(benchmark) == ["7", "3"]
    assert (benchmark.questions[0].evidence, benchmark.questions[0].difficulty) == ("e", "simple")
    assert benchmark.files("b") == (bird / "dev_databases/b/b.sqlite",)


def test_the_published_mini_dev_and_train_of_bird(bird):
    mini_dev = load_benchmark(f"bird:{bird}:mini_dev")
    assert ids(mini_dev) == ["3"]
    assert mini_dev.questions[0].evidence == ""
    train = load_benchmark(f"bird:{bird}:train")
    assert ids(train) == ["0", "1"]  # published without ids
    assert train.files("t") == (bird / "train/train_databases/t/t.sqlite",)


def test_descriptions_are_read_where_there_are_some(bird):
    benchmark = load_benchmark(f"bird:{bird}")
    assert benchmark.descriptions("b") is None
    (bird / "dev_databases/b/database_description").mkdir()
    assert benchmark.descriptions("b") is not None


def test_nothing_is_written_beside_the_users_data(spider, monkeypatch):
    before = sorted(spider.rglob("*"))
    with load_benchmark(f"spider:{spider}") as benchmark:
        benchmark.open("a")
        assert benchmark.data_hash
    assert sorted(spider.rglob("*")) == before


@pytest.mark.parametrize("name", ["C:spider", "a:dev", "http:", "spider 50%"])
def test_a_folder_may_have_colons_in_its_name(spider, name):
    folder = spider.rename(spider.parent / name)
    assert load_benchmark(f"spider:{folder}").name == "spider:dev"
    assert load_benchmark(f"spider:{folder}:").name == "spider:dev"
    assert load_benchmark(f"spider:{folder}:test").name == "spider:test"


def test_the_home_folder_and_relative_folders(spider, monkeypatch):
    monkeypatch.setenv("HOME", str(spider.parent))
    assert load_benchmark("spider:~/spider:test").name == "spider:test"
    monkeypatch.chdir(spider.parent)
    assert load_benchmark("spider:spider").name == "spider:dev"


@pytest.mark.parametrize(
    ("spec", "said"),
    [
        ("", "unknown benchmark ''"),
        ("spidr:x", "did you mean spider"),
        ("mini:dev", "'mini:dev' names no benchmark"),
        ("spider", "'spider' names no benchmark"),
        ("bird:", "'bird:' names no benchmark"),
        ("spider:/nowhere:dev", "there is no folder '/nowhere:dev'"),
        ("hub:org/name", "'hub:org/name' names no benchmark"),
        ("hub:org/name:/nowhere", "there is no folder '/nowhere'"),
    ],
)
def test_what_names_no_benchmark(spec, said):
    with pytest.raises(InputError) as caught:
        load_benchmark(spec)
    assert said in str(caught.value)


def test_a_split_that_is_not_there_names_those_that_are(spider):
    with pytest.raises(InputError, match=r"no split 'tset' of spider: expected tset\.json .*mean test"):
        load_benchmark(f"spider:{spider}:tset")
    with pytest.raises(InputError, match="there: dev, test, train_others, train_spider"):
        load_benchmark(f"spider:{spider}:xyz")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "not JSON"),
        ("[" * 100_000, "not JSON"),
        ("{}", "expected a list of questions; got dict"),
        ("[1]", "question 0: expected an object; got int"),
        ('[{"db_id": "a", "question": "q"}]', "question 0 has no query; it has db_id, question"),
        ('[{"db_id": "a", "question": null, "query": null}]', "has no question and no query"),
        ('[{"db_id": "a", "question": "q", "SQL": "SELECT 1"}]', "is this the other benchmark"),
        ('[{"db_id": "a", "question": 1, "query": "SELECT 1"}]', "question must be text; got int"),
        ('[{"db_id": "../a", "question": "q", "query": "SELECT 1"}]', "db_id must be the name of a folder"),
        ('[{"db_id": "", "question": "q", "query": "SELECT 1"}]', "db_id must be the name of a folder"),
        ('[{"db_id": "a", "question": "\\ud800", "query": "SELECT 1"}]', "question is no valid Unicode"),
        (
            '[{"db_id": "z", "question": "q", "query": "SELECT 1"}]',
            "none of the 1 questions has its database",
        ),
        ("[]", "holds no question"),
    ],
)
def test_what_is_no_question_file(spider, text, said):
    (spider / "dev.json").write_text(text)
    with pytest.raises(InputError) as caught:
        load_benchmark(f"spider:{spider}")
    assert said in str(caught.value)
    assert "SELECT" not in str(caught.value)


@pytest.mark.parametrize(
    ("rows", "said"),
    [
        (bird_rows(1, "1"), "1 ids are there more than once: 1"),
        (bird_rows(1, True), "question_id must be text; got bool"),
        (bird_rows(1, None), "question 1 has no question_id"),
    ],
)
def test_ids_of_bird_are_checked(bird, rows, said):
    write(bird / "dev.json", rows)
    with pytest.raises(InputError) as caught:
        load_benchmark(f"bird:{bird}")
    assert said in str(caught.value)


def test_a_file_that_is_no_database_fails_when_it_is_opened(spider):
    (spider / "database/a/a.sqlite").write_text("version https://git-lfs.github.com/spec/v1")
    benchmark = load_benchmark(f"spider:{spider}")
    with pytest.raises(SqlmendError):
        benchmark.open("a")


def test_questions_from_the_hub_with_local_databases(spider, bird, monkeypatch):
    import datasets

    rows = [{k: v for k, v in row.items() if k != "sql"} for row in spider_rows("a", "absent", "b")]
    published = {
        "org/spider": {"train": rows[:1], "validation": rows},
        "org/bird": {"dev": bird_rows(5), "mini_dev_sqlite": bird_rows(9)},
    }
    monkeypatch.setattr(
        datasets,
        "load_dataset",
        lambda name: {split: datasets.Dataset.from_list(rows) for split, rows in published[name].items()},
    )
    benchmark = load_benchmark(f"hub:org/spider:{spider}")
    assert (benchmark.name, benchmark.definition, ids(benchmark)) == (
        "org/spider:validation",
        "spider",
        ["0", "2"],
    )
    benchmark = load_benchmark(f"hub:org/bird:{bird}:mini_dev_sqlite")
    assert (benchmark.name, benchmark.definition, ids(benchmark)) == (
        "org/bird:mini_dev_sqlite",
        "bird",
        ["9"],
    )
    with pytest.raises(InputError, match="unknown split 'dve'"):
        load_benchmark(f"hub:org/bird:{bird}:dve")


def test_the_hub_offline_is_a_failure_that_says_what_to_do(spider, monkeypatch):
    import datasets

    monkeypatch.setattr(datasets.config, "HF_HUB_OFFLINE", True)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(
        SqlmendError, match=r"could not be loaded.*offline, use spider:DIR or bird:DIR"
    ) as caught:
        load_benchmark(f"hub:org/name:{spider}")
    assert caught.value.exit_code == 1
