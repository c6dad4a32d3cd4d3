"""SQLite, DuckDB and a document store: what they can do of deadlocks, time-outs, constraints and rules."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

import duckdb
import pytest

from sqlmend.databases import Schema, Table
from sqlmend.databases.document import compile_query, embedded_store
from tests.memory.notes_live.conftest import cases, script


@pytest.fixture
def bank(tmp_path: Path) -> Path:
    path = tmp_path / "bank.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript(script("sqlite"))
    connection.close()
    return path


@pytest.fixture
def session(bank: Path) -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(bank, timeout=0)
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA recursive_triggers = ON")
    yield connection
    connection.close()


def sqlite_failure(connection: sqlite3.Connection, sql: str) -> sqlite3.Error:
    with pytest.raises(sqlite3.Error) as caught:
        connection.execute(sql).fetchall()
    return caught.value


@pytest.mark.parametrize("case", cases("sqlite"))
def test_sqlite(case, session, noted):
    error = sqlite_failure(session, case["sql"])
    assert noted(case["sql"], "sqlite", error).error_class == case["class"]


def test_sqlite_locked_by_another(session, bank, noted):
    sql = "UPDATE accounts SET balance = 1 WHERE id = 1"
    other = sqlite3.connect(bank)
    other.execute("BEGIN IMMEDIATE")
    assert noted(sql, "sqlite", sqlite_failure(session, sql)).error_class == "timeout"
    other.close()


def test_sqlite_snapshot_of_the_past(session, bank, noted):
    sql = "UPDATE accounts SET balance = 2 WHERE id = 1"
    session.execute("PRAGMA journal_mode = WAL")
    session.isolation_level = None
    session.execute("BEGIN")
    session.execute("SELECT * FROM accounts").fetchall()
    other = sqlite3.connect(bank)
    other.execute(sql)
    other.commit()
    other.close()
    assert noted(sql, "sqlite", sqlite_failure(session, sql)).error_class == "deadlock"


def test_sqlite_locked_by_its_own_cursor(session, noted):
    reading = session.execute("SELECT * FROM orders")
    reading.fetchone()
    note = noted("DROP TABLE orders", "sqlite", sqlite_failure(session, "DROP TABLE orders"))
    assert note.error_class == "deadlock"
    assert "close it" in note and "BEGIN IMMEDIATE" not in note
    reading.close()
    session.execute("DROP TABLE orders")


def test_sqlite_stopped(session, noted):
    sql = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) FROM n"
    session.set_progress_handler(lambda: 1, 1000)
    assert noted(sql, "sqlite", sqlite_failure(session, sql)).error_class == "timeout"


def test_sqlite_may_not(session, bank, noted):
    sql = "DELETE FROM orders WHERE id = 1"
    reading = sqlite3.connect(f"file:{bank}?mode=ro", uri=True)
    assert noted(sql, "sqlite", sqlite_failure(reading, sql)).error_class == "permission"
    reading.close()
    session.set_authorizer(lambda action, *_: action == sqlite3.SQLITE_DELETE)
    assert noted(sql + " + 1", "sqlite", sqlite_failure(session, sql)).error_class == "permission"


@pytest.fixture(scope="module")
def duck() -> Iterator[duckdb.DuckDBPyConnection]:
    connection = duckdb.connect(config={"enable_external_access": "false", "threads": "1"})
    connection.execute(script("duckdb"))
    yield connection
    connection.close()


def duckdb_failure(connection: duckdb.DuckDBPyConnection, sql: str) -> duckdb.Error:
    with pytest.raises(duckdb.Error) as caught:
        connection.execute(sql).fetchall()
    return caught.value


@pytest.mark.parametrize("case", cases("duckdb"))
def test_duckdb(case, duck, noted):
    assert noted(case["sql"], "duckdb", duckdb_failure(duck, case["sql"])).error_class == case["class"]


def test_duckdb_two_writers(duck, noted):
    sql = "UPDATE accounts SET balance = balance + 1 WHERE id = 1"
    first, second = duck.cursor(), duck.cursor()
    first.execute("BEGIN")
    second.execute("BEGIN")
    first.execute(sql)
    assert noted(sql, "duckdb", duckdb_failure(second, sql)).error_class == "deadlock"
    first.execute("ROLLBACK")


def test_document_store(noted):
    from pymongo.errors import PyMongoError

    find = "SELECT id FROM orders"
    with embedded_store() as client:
        bank = client["bank"]
        bank.create_collection("orders", validator={"amount": {"$gt": 0}})
        bank["orders"].create_index("id", unique=True)
        bank["orders"].insert_one({"id": 1, "amount": 5})
        attempts = {
            "constraint_violation": lambda: bank["orders"].insert_one({"id": 1, "amount": 5}),
            "type_mismatch": lambda: list(
                bank["orders"].aggregate([{"$project": {"x": {"$add": ["a", 1]}}}])
            ),
            "unsupported_translation": lambda: list(bank["orders"].aggregate([{"$frobnicate": 1}])),
        }
        for name, attempt in attempts.items():
            with pytest.raises(PyMongoError) as caught:
                attempt()
            assert noted(f"{find} -- {name}", "document", caught.value).error_class == name
        with pytest.raises(PyMongoError) as caught:
            bank["orders"].insert_one({"id": 2, "amount": -5})
        assert (
            noted("INSERT INTO orders VALUES (2, -5)", "document", caught.value).error_class
            == "constraint_violation"
        )


@pytest.mark.parametrize(
    ("sql", "error_class"),
    [
        ("SELECT o.id FROM orders o JOIN accounts a ON a.id = o.account_id", "unsupported_translation"),
        ("SELECT DISTINCT status FROM orders", "unsupported_translation"),
        ("SELECT id FROM orders WHERE", "syntax"),
        ("SELECT id FROM shipments", "schema_reference"),
        ("SELECT frobnicate FROM orders", "schema_reference"),
    ],
)
def test_compiler_of_the_document_store(sql, error_class, noted):
    from sqlmend.databases import Column
    from sqlmend.errors import SqlmendError

    schema = Schema((Table("orders", (Column("id", "INTEGER"), Column("status", "TEXT"))),))
    with pytest.raises(SqlmendError) as caught:
        compile_query(sql, schema)
    assert noted(sql, "document", caught.value).error_class == error_class
