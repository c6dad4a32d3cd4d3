"""Writing statements are tried where nothing is kept and nothing else can be reached."""

from __future__ import annotations

import sqlite3

import pytest

from sqlmend.databases import rehearse
from sqlmend.errors import SqlmendError

SCRIPT = """
CREATE TABLE accounts (id INTEGER PRIMARY KEY, owner TEXT UNIQUE, balance INTEGER NOT NULL);
CREATE TABLE ledger (id INTEGER PRIMARY KEY, account_id INTEGER REFERENCES accounts (id), amount INTEGER);
INSERT INTO accounts VALUES (1, 'Ann', 50), (2, 'Bob', 500);
INSERT INTO ledger VALUES (1, 1, 50);
CREATE TRIGGER overdraft BEFORE UPDATE ON accounts WHEN NEW.balance < 0
BEGIN SELECT RAISE(ABORT, 'overdraft'); END;
CREATE TRIGGER append_only BEFORE DELETE ON ledger BEGIN SELECT RAISE(ABORT, 'append-only'); END;
"""
BALANCES = "SELECT balance FROM accounts ORDER BY id"


def test_what_the_statements_left():
    sql = "UPDATE accounts SET balance = balance - 10; INSERT INTO ledger VALUES (2, 2, -10);"
    found = rehearse(SCRIPT, sql, [BALANCES, "SELECT SUM(amount) FROM ledger"])
    assert (found.error, found.answers) == (None, ([(40,), (490,)], [(40,)]))
    assert rehearse(SCRIPT, "SELECT 1", [BALANCES]).answers == ([(50,), (500,)],)


CODES = {
    sqlite3.SQLITE_CONSTRAINT_TRIGGER: {
        "UPDATE accounts SET balance = balance - 60": "overdraft",
        "REPLACE INTO ledger VALUES (1, 1, 9)": "append-only",
    },
    sqlite3.SQLITE_CONSTRAINT_UNIQUE: {
        "INSERT INTO accounts VALUES (3, 'Ann', 1)": "UNIQUE constraint failed"
    },
    sqlite3.SQLITE_CONSTRAINT_FOREIGNKEY: {
        "DELETE FROM accounts": "FOREIGN KEY constraint failed",
        "INSERT INTO ledger VALUES (3, 9, 1)": "FOREIGN KEY constraint failed",
    },
    sqlite3.SQLITE_ERROR: {
        "UPDATE accounts SET balanc = 1": "no such column",
        "DELETE FROM sqlite_master": "may not be modified",
        "SELECT load_extension('x')": "not authorized to use function",
    },
    sqlite3.SQLITE_AUTH: {
        "DROP TRIGGER overdraft": "not authorized",
        "DROP TABLE ledger": "not authorized",
        "CREATE TABLE x (a)": "not authorized",
        "CREATE TEMP TABLE x (a)": "not authorized",
        "ALTER TABLE ledger RENAME TO x": "not authorized",
        "PRAGMA foreign_keys = OFF": "not authorized",
        "PRAGMA writable_schema = ON": "not authorized",
        "COMMIT": "not authorized",
        "ROLLBACK": "not authorized",
        "SAVEPOINT x": "not authorized",
    },
    None: {
        "SELECT ?": "binding",
        "SELECT '\0'": "null character",
        "SELECT '\ud800'": "surrogates",
        "-- nothing": "no statement",
    },
}


@pytest.mark.parametrize(
    ("code", "sql", "text"), [(code, sql, text) for code, rows in CODES.items() for sql, text in rows.items()]
)
def test_refusals_are_sqlites_own(code, sql, text):
    error = rehearse(SCRIPT, sql, [BALANCES]).error
    assert isinstance(error, sqlite3.Error)
    assert getattr(error, "sqlite_errorcode", None) == code
    assert text in str(error)
    assert isinstance(error, sqlite3.IntegrityError) == (
        "constraint" in text or text in ("overdraft", "append-only")
    )


@pytest.mark.parametrize("name", ["there", "there.db", ":memory:"])
def test_no_file_is_reached(name, tmp_path):
    path = tmp_path / name
    for sql in (f"ATTACH '{path}' AS other", f"VACUUM INTO '{path}'"):
        assert rehearse(SCRIPT, sql).error is not None
    assert not list(tmp_path.iterdir())


def test_all_or_nothing():
    sql = "UPDATE accounts SET balance = 0 WHERE id = 2; UPDATE accounts SET balance = -1 WHERE id = 1"
    found = rehearse(SCRIPT, sql, [BALANCES])
    assert (str(found.error), found.answers) == ("overdraft", ())


def test_each_has_a_database_of_its_own():
    rehearse(SCRIPT, "UPDATE accounts SET balance = 1")
    assert rehearse(SCRIPT, "SELECT 1", [BALANCES]).answers == ([(50,), (500,)],)


def test_a_runaway_is_stopped():
    endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) {}"
    error = rehearse(SCRIPT, endless.format("SELECT COUNT(*) FROM n"), timeout_s=0.2).error
    assert error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT
    writing = "INSERT INTO ledger (amount) " + endless.format("SELECT i FROM n")
    error = rehearse(SCRIPT, writing, timeout_s=0.2).error
    assert error.sqlite_errorcode == sqlite3.SQLITE_INTERRUPT


def test_its_own_statements_must_run():
    for script, check in (("CREATE TABL x", BALANCES), (SCRIPT, "SELECT nope FROM accounts")):
        with pytest.raises(SqlmendError, match="own statements failed"):
            rehearse(script, "SELECT 1", [check])
