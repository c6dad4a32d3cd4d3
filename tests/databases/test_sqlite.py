"""The SQLite database: results, their size, and what happens to the file meanwhile."""

from __future__ import annotations

import copy
import os
import pickle
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from sqlmend.databases import SqliteDatabase, open_database
from sqlmend.errors import InputError, SqlmendError
from tests.databases.conftest import Build, Requests

_MANY = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r WHERE n < {0}) "


def test_values_keep_their_types(city: Path) -> None:
    outcome = open_database(city).execute("SELECT 1, 1.0, '1', x'31', NULL, 1e999, -9223372036854775808")
    assert [type(value) for value in outcome.rows[0]] == [int, float, str, bytes, type(None), float, int]
    assert outcome.rows == [(1, 1.0, "1", b"1", None, float("inf"), -(2**63))]


def test_many_rows_come_in_order(city: Path) -> None:
    outcome = open_database(city).execute(_MANY.format(20_000) + "SELECT n, 'name ' || n FROM r")
    assert outcome.rows == [(n, f"name {n}") for n in range(1, 20_001)]


def test_a_result_below_the_byte_limit_comes_whole(city: Path) -> None:
    outcome = open_database(city).execute("SELECT zeroblob(16000000) FROM city")
    assert [len(row[0]) for row in outcome.rows] == [16_000_000] * 4


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT zeroblob(17000000) FROM city",  # together above 64 MiB
        "SELECT zeroblob(67200000)",
        "SELECT printf('%67200000d', 1)",
    ],
)
def test_huge_values_are_too_large(city: Path, sql: str) -> None:
    database = open_database(city)
    assert database.execute(sql).status == "too_large"
    assert database.execute("SELECT 1").rows == [(1,)]


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT " + "(" * 50_000 + "1" + ")" * 50_000,
        "SELECT " + "1+" * 50_000 + "1",
        "SELECT " + "NOT " * 50_000 + "1",
        "SELECT 1" + " UNION ALL SELECT 1" * 5_000,
        "SELECT " + "1, " * 5_000 + "1",
        "SELECT * FROM " + "(SELECT * FROM " * 500 + "city" + ")" * 500,
        "SELECT " + "abs(" * 2_000 + "1" + ")" * 2_000,
        "SELECT " + "CASE WHEN 1 THEN " * 2_000 + "1" + " END" * 2_000,
        "SELECT 1 WHERE 1 IN " + "(SELECT 1 WHERE 1 IN " * 500 + "(1)" + ")" * 500,
        "SELECT 'a' LIKE '" + "%" * 60_000 + "'",
    ],
    ids=range(10),
)
def test_deep_and_long_statements_are_too_large(city: Path, sql: str) -> None:
    database = open_database(city)
    assert database.execute(sql).status == "too_large"
    assert database.execute("SELECT 1").rows == [(1,)]


def test_deep_recursion_of_views_and_json(build: Build) -> None:
    views = "".join(f"CREATE VIEW v{n} AS SELECT * FROM v{n + 1};" for n in range(200))
    database = open_database(build(views + "CREATE VIEW v200 AS SELECT 1;"))
    assert database.execute("SELECT * FROM v0").status in ("ok", "too_large", "other_error")
    nested = database.execute("SELECT json('" + "[" * 100_000 + "]" * 100_000 + "')")
    assert nested.status in ("type_mismatch", "too_large")
    assert database.execute("SELECT 1").rows == [(1,)]


def test_a_statement_of_megabytes_arrives_as_written(city: Path) -> None:
    text = "é" * 3_000_000
    assert open_database(city).execute(f"SELECT '{text}'").rows == [(text,)]


def test_undecodable_text_is_compared_losslessly(city: Path) -> None:
    database = open_database(city)
    names = [row[0] for row in database.execute("SELECT name FROM city").rows]
    assert names == ["Lima", "Cuzco", "Quito", "Mana\udce9"]
    assert names[3].encode("utf-8", "surrogateescape") == b"Mana\xe9"


def test_undecodable_names_of_columns_do_not_raise(build: Build) -> None:
    path = build('CREATE TABLE t("abcdefgh" TEXT); INSERT INTO t VALUES (1)')
    path.write_bytes(path.read_bytes().replace(b"abcdefgh", b"abcdefg\xe9"))
    database = open_database(path)
    assert database.execute("SELECT * FROM t").status == "other_error"
    assert database.schema().tables[0].columns[0].name == "abcdefg\udce9"


@pytest.mark.parametrize("limits", [{"timeout_s": 0}, {"timeout_s": float("nan")}, {"max_rows": 0}])
def test_limits_are_positive(city: Path, limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be positive"):
        open_database(city).execute("SELECT 1", **limits)  # type: ignore[arg-type]


def test_no_limit_of_time_is_fine(city: Path) -> None:
    assert open_database(city).execute("SELECT 1", timeout_s=float("inf")).status == "ok"


def test_a_statement_is_not_cut_short_by_the_time_that_earlier_ones_took(city: Path) -> None:
    database = open_database(city)
    for _ in range(3):
        assert (
            database.execute(_MANY.format(10**9) + "SELECT max(n) FROM r", timeout_s=0.2).status == "timeout"
        )
    assert database.execute(_MANY.format(1000) + "SELECT max(n) FROM r").rows == [(1000,)]


def test_changes_of_the_file_are_seen(build: Build) -> None:
    path = build("CREATE TABLE t(a); INSERT INTO t VALUES (1)")
    database = open_database(path)
    assert database.execute("SELECT a FROM t").rows == [(1,)]
    with sqlite3.connect(path) as connection:
        connection.execute("UPDATE t SET a = 2")
    connection.close()
    assert database.execute("SELECT a FROM t").rows == [(2,)]
    build("CREATE TABLE t(a); INSERT INTO t VALUES (3)", "other.sqlite").replace(path)
    assert database.execute("SELECT a FROM t").rows == [(3,)]


def test_a_file_that_goes_away_or_breaks_is_no_failure_of_a_statement(city: Path) -> None:
    database = open_database(city)
    content = city.read_bytes()
    city.unlink()
    _refuse(database, "is gone or out of reach")
    city.write_bytes(content[:100] + os.urandom(len(content) - 100))
    _refuse(database, "cannot be read")
    city.write_bytes(b"text, no database" * 100)
    _refuse(database, "cannot be read: file is not a database")
    city.write_bytes(content)
    assert database.execute("SELECT count(*) FROM city").rows == [(4,)]


def _refuse(database: SqliteDatabase, words: str) -> None:
    for sql in ("SELECT 1 FROM city", "SELECT nothing FROM nowhere"):
        with pytest.raises(SqlmendError, match=words) as caught:
            database.execute(sql)
        assert caught.value.code == "database_unreadable"


def test_a_damaged_table_fails_the_statements_that_read_it(build: Build) -> None:
    path = build("CREATE TABLE t(a); CREATE TABLE u(a); INSERT INTO u VALUES (1)")
    content = path.read_bytes()
    page = int.from_bytes(content[16:18], "big")
    path.write_bytes(content[:page] + b"\xff" * page + content[2 * page :])
    database = open_database(path)
    assert database.execute("SELECT a FROM t").status == "other_error"
    assert database.execute("SELECT a FROM u").rows == [(1,)]


def test_a_locked_database_is_no_failure_of_a_statement(city: Path) -> None:
    database = open_database(city)
    writer = sqlite3.connect(city, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(SqlmendError, match="database is locked") as caught:
        database.execute("SELECT 1 FROM city")
    assert database.execute("SELECT 1 FROM city", timeout_s=0.3).status == "timeout"
    writer.close()
    assert caught.value.code == "database_unreadable"
    assert database.execute("SELECT 1 FROM city").status == "ok"


@pytest.mark.parametrize("comes_back", [False, True])
def test_a_statement_runs_when_a_lock_has_gone(city: Path, requests: Requests, comes_back: bool) -> None:
    database = open_database(city)
    writer = sqlite3.connect(city, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")

    def change(operation: str) -> None:
        if operation == "check":
            writer.execute("COMMIT")
        elif noted and comes_back:
            writer.execute("BEGIN EXCLUSIVE")

    noted = requests(change)
    if comes_back:
        with pytest.raises(SqlmendError, match="database is locked") as caught:
            database.execute("SELECT count(*) FROM city", timeout_s=20)
        assert caught.value.code == "database_unreadable"
    else:
        assert database.execute("SELECT count(*) FROM city", timeout_s=20).rows == [(4,)]
    writer.close()
    assert [operation for operation, _ in noted] == ["execute", "check", "execute"]
    first, check, again = (limit_s for _, limit_s in noted)
    assert first == 20 > check > again


def test_a_locked_database_cannot_be_opened(city: Path) -> None:
    writer = sqlite3.connect(city, isolation_level=None)
    writer.execute("BEGIN EXCLUSIVE")
    with pytest.raises(InputError, match="locked") as caught:
        open_database(city)
    writer.close()
    assert caught.value.code == "database_unreadable"


def test_opening_leaves_the_locks_of_this_process(city: Path) -> None:
    # Whoever closes a file drops all locks that its process holds on it: a reader here must never open it.
    writer = sqlite3.connect(city, isolation_level=None)
    writer.execute("BEGIN IMMEDIATE")
    database = open_database(city)
    assert database.execute("SELECT count(*) FROM city").rows == [(4,)]
    assert database.schema().tables
    other = "import sqlite3, sys; sqlite3.connect(sys.argv[1], timeout=0).execute('BEGIN IMMEDIATE')"
    done = subprocess.run(
        [sys.executable, "-c", other, str(city)], capture_output=True, text=True, check=False
    )
    writer.close()
    assert "database is locked" in done.stderr


def test_copies_are_of_the_same_file(city: Path) -> None:
    database = open_database(city)
    for copied in (copy.deepcopy(database), pickle.loads(pickle.dumps(database))):
        assert copied.path == city
        assert copied.execute("SELECT count(*) FROM city").rows == [(4,)]


def test_many_databases_at_once(build: Build) -> None:
    paths = [build(f"CREATE TABLE t(a); INSERT INTO t VALUES ({n})", f"{n}.sqlite") for n in range(25)]
    databases = [open_database(path) for path in paths]
    with ThreadPoolExecutor(8) as threads:
        outcomes = list(threads.map(lambda n: databases[n % 25].execute("SELECT a FROM t"), range(200)))
    assert [outcome.rows for outcome in outcomes] == [[(n % 25,)] for n in range(200)]


def test_virtual_tables_of_the_database_can_be_read(build: Build) -> None:
    database = open_database(
        build(
            "CREATE VIRTUAL TABLE words USING fts5(text); INSERT INTO words VALUES ('hello world');"
            "CREATE VIRTUAL TABLE boxes USING rtree(id, low, high); INSERT INTO boxes VALUES (1, 0, 2);"
        )
    )
    assert database.execute("SELECT text FROM words WHERE words MATCH 'hello'").rows == [("hello world",)]
    assert database.execute("SELECT id FROM boxes WHERE low < 1").rows == [(1,)]
    for sql in (
        "INSERT INTO boxes_node SELECT 1, 2",
        "WITH x AS (SELECT 1) INSERT INTO boxes_rowid SELECT 3, 4",
        "DELETE FROM boxes_node WHERE 1 IN (SELECT 1)",
        "INSERT INTO words VALUES ('x')",
        "INSERT INTO words(words) VALUES ('optimize')",
        "UPDATE sqlite_master SET type = (SELECT 1)",
    ):
        assert database.execute(sql).status == "denied"
