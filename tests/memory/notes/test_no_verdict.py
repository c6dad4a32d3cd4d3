"""What says nothing of a statement leaves no note, whoever records it."""

from __future__ import annotations

import sqlite3

import pytest

from sqlmend.databases import Outcome
from sqlmend.memory.notes import refusal_of
from sqlmend.memory.notes._key import Key
from sqlmend.memory.notes._verdict import read_verdict


def raised(call):
    with pytest.raises((sqlite3.Error, sqlite3.Warning)) as caught:
        call()
    return caught.value


@pytest.fixture
def connection():
    opened = sqlite3.connect(":memory:")
    yield opened
    opened.close()


def test_what_sqlite3_objects_to_itself(connection):
    for arguments in (("SELECT ?", ()), ("SELECT :a", {}), ("SELECT 1; SELECT 2",)):
        error = raised(lambda given=arguments: connection.execute(*given))
        assert read_verdict(error) is None
        assert read_verdict(str(error)) is None
    connection.close()
    error = raised(lambda: connection.execute("SELECT 1"))
    assert read_verdict(error) is None
    assert read_verdict(str(error)) is None


def test_what_sqlite_says_itself(connection):
    connection.execute("CREATE TABLE t (a UNIQUE)")
    connection.execute("INSERT INTO t VALUES (1)")
    error = raised(lambda: connection.execute("INSERT INTO t VALUES (1)"))
    assert error.sqlite_errorcode in range(2000, 3000)  # as MySQL's clients number their errors
    assert read_verdict(error) is not None


def error(name, *arguments, **values):
    made = type(name, (type("DatabaseError", (Exception,), {}),), {})(*arguments)
    for key, value in values.items():
        setattr(made, key, value)
    return made


LOST = "Lost connection to MySQL server during query"


@pytest.mark.parametrize(
    "said",
    [
        error("OperationalError", 2013, LOST),
        error("OperationalError", 2013, LOST, errno=2013, sqlstate="HY000"),
        error("InterfaceError", 0, ""),
        ConnectionResetError(104, "reset"),
        error("ProgrammingError", "no results to fetch", pgcode=None),
        error("OperationalError", "the connection is closed", sqlstate=None),
        error("InFailedSqlTransaction", "current transaction is aborted", sqlstate="25P02"),
        "current transaction is aborted, commands ignored until end of transaction block",
        "ERROR:  current transaction is aborted, commands ignored until end of transaction block",
        "TransactionContext Error: Current transaction is aborted (please ROLLBACK)",
        "server closed the connection unexpectedly\n\tThis probably means the server terminated abnormally",
        "consuming input failed: server closed the connection unexpectedly",
        "terminating connection due to administrator command",
        f"(2013, '{LOST}')",
        f"ERROR 2013 (HY000): {LOST}",
        "(pymysql.err.OperationalError) (2006, 'MySQL server has gone away')\n[SQL: SELECT 1]",
        LOST,
        "Cannot operate on a closed cursor.",
        "sqlite3.ProgrammingError: Cannot operate on a closed database.",
        "Connection Error: Connection already closed!",
        "Resource In Use Error: connection has an unfinished result from execute(); call complete()",
    ],
)
def test_no_verdicts(said):
    assert read_verdict(said) is None


@pytest.mark.parametrize(
    "said",
    [
        error("IntegrityError", 1062, "Duplicate entry '1' for key 'PRIMARY'"),
        error("DatabaseError", "a rule", sqlstate=None, diag=type("Diagnostics", (), {"sqlstate": "RU001"})),
        error("RaiseException", "the connection is closed", sqlstate="P0001"),
        error("IntegrityError", "Cannot operate on a closed cursor", sqlite_errorcode=1811),
        "terminating connection due to idle-in-transaction timeout",
        "database is locked",
        "Invalid Input Error: Resource In Use Error: as a rule may say",
        "(1062, \"Duplicate entry 'x' for key 'k'\")",
    ],
)
def test_verdicts(said):
    assert read_verdict(said) is not None


def test_an_outcome_is_always_a_verdict():
    """It is what a database of this package said of one statement."""
    for text in ("Incorrect number of bindings supplied.", "SQLSTATE[25P02]: as a trigger may say"):
        refusal = refusal_of(Key("sqlite", "f", "select ?"), Outcome("other_error", error=text))
        assert refusal.key.shape == "select ?"
