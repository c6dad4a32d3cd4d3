"""PostgreSQL: deadlocks, time-outs, constraints, rules in triggers, permissions, all of them real."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from sqlmend.memory.notes import read_schema
from tests.memory.notes_live.conftest import cases, script

Connect = Callable[..., Any]


@pytest.fixture(scope="module")
def connect(postgres_folder: str) -> Connect:
    """Opens a session in a database of this module's own."""
    import psycopg

    with psycopg.connect(
        host=postgres_folder, user="postgres", dbname="postgres", autocommit=True
    ) as session:
        session.execute("DROP DATABASE IF EXISTS bank")
        session.execute("CREATE DATABASE bank")

    def open_session(user: str = "postgres", **settings: str) -> Any:
        options = " ".join(f"-c {name}={value}" for name, value in settings.items())
        return psycopg.connect(host=postgres_folder, user=user, dbname="bank", options=options)

    with open_session() as session:
        session.execute(script("postgres"))
    return open_session


@pytest.fixture
def sessions(connect: Connect) -> Iterator[Connect]:
    """Opens sessions that end with the test, and change nothing."""
    opened: list[Any] = []

    def open_session(user: str = "postgres", **settings: str) -> Any:
        opened.append(connect(user, **settings))
        return opened[-1]

    yield open_session
    for session in opened:
        session.close()


def failure(session: Any, sql: str) -> BaseException:
    import psycopg

    with pytest.raises(psycopg.Error) as caught:
        session.execute(sql)
    return caught.value


@pytest.mark.parametrize("case", cases("postgres"))
def test_class_of_a_real_error(case, sessions, noted):
    session = sessions(
        case.get("role", "postgres"), statement_timeout="200" if case["class"] == "timeout" else "0"
    )
    error = failure(session, case["sql"])
    assert noted(case["sql"], "postgres", error).error_class == case["class"]


def test_deadlock_of_two_sessions(sessions, noted):
    update = "UPDATE accounts SET balance = balance + 1 WHERE id = {}"
    watch = sessions()
    watch.autocommit = True
    # The first waits without ever looking for a cycle, so that the second finds it and is the victim.
    first, second = sessions(deadlock_timeout="600s"), sessions(deadlock_timeout="10ms")
    first.execute(update.format(1))
    second.execute(update.format(2))
    waiting = threading.Thread(target=first.execute, args=(update.format(2),))
    waiting.start()
    blocked = "SELECT wait_event_type = 'Lock' FROM pg_stat_activity WHERE pid = %s"
    while not watch.execute(blocked, [first.info.backend_pid]).fetchone()[0]:
        pass
    error = failure(second, update.format(1))
    second.rollback()
    waiting.join()
    first.rollback()
    assert (type(error).__name__, error.sqlstate) == ("DeadlockDetected", "40P01")
    assert noted(update.format(1), "postgres", error).error_class == "deadlock"


def test_lock_that_does_not_come(sessions, noted):
    update = "UPDATE accounts SET balance = balance + 1 WHERE id = 1"
    first, second, third = sessions(), sessions(lock_timeout="10ms"), sessions()
    first.execute(update)
    error = failure(second, update)
    assert (error.sqlstate, noted(update, "postgres", error).error_class) == ("55P03", "timeout")
    impatient = "SELECT * FROM accounts WHERE id = 1 FOR UPDATE NOWAIT"
    assert noted(impatient, "postgres", failure(third, impatient)).error_class == "timeout"


def test_serialization_failure(sessions, noted):
    update = "UPDATE accounts SET balance = balance + 1 WHERE id = 3"
    late = sessions(default_transaction_isolation="serializable")
    late.execute("SELECT * FROM accounts")
    early = sessions(default_transaction_isolation="serializable")
    early.execute(update)
    early.commit()
    error = failure(late, update)
    assert (error.sqlstate, noted(update, "postgres", error).error_class) == ("40001", "deadlock")


def test_error_wrapped_by_sqlalchemy(postgres_folder, connect, noted):
    import sqlalchemy

    sql = "UPDATE ledger SET amount = 41 WHERE id = 1"
    engine = sqlalchemy.create_engine(f"postgresql+psycopg://postgres@/bank?host={postgres_folder}")
    with engine.connect() as session, pytest.raises(sqlalchemy.exc.DBAPIError) as caught:
        session.execute(sqlalchemy.text(sql))
    engine.dispose()
    note = noted(sql, "postgres", caught.value)
    assert note.error_class == "raised_rule"
    assert "append-only" in note


def test_a_watched_session(sessions, notes):
    import psycopg
    from psycopg import sql

    session = sessions()
    rule = "DO $$ BEGIN RAISE 'frozen' USING ERRCODE = 'RU001'; END $$"
    with notes.watch(session) as watched:
        watched.execute(query="SELECT count(*) FROM accounts")
        with pytest.raises(psycopg.Error):
            watched.execute(sql.SQL("SELECT nothing FROM {}").format(sql.Identifier("accounts")))
        with pytest.raises(psycopg.errors.InFailedSqlTransaction):
            watched.execute("SELECT id FROM accounts")
        watched.rollback()
        with pytest.raises(psycopg.Error, match="frozen"):
            watched.execute(rule)
        watched.rollback()
        changed = watched.execute("UPDATE accounts SET owner = owner")
        with pytest.raises(psycopg.ProgrammingError):
            changed.fetchone()  # it has no rows
        with pytest.raises(psycopg.ProgrammingError):
            watched.execute("SELECT %s", ())
    found = [(refusal.error_class, refusal.key.shape) for refusal in notes.refusals()]
    assert [name for name, _ in found] == ["schema_reference", "raised_rule"]


def refuse(session: Any, sql: str) -> None:
    import psycopg

    with pytest.raises(psycopg.Error):
        session.execute(sql)


def test_a_failed_transaction_does_not_end_the_watch(sessions, notes):
    session = sessions()
    with notes.watch(session) as watched:
        watched.execute("CREATE TABLE boxes (a INTEGER)")
        refuse(watched, "GRANT SELECT ON nothing TO postgres")
        refuse(watched, "SELECT a FROM boxes")
        watched.rollback()
        refuse(watched, "SELECT a FROM boxes")
        watched.rollback()
        refuse(watched, "SET nothing = 1")
    grant, select, setting = notes.refusals()
    assert grant.key.shape == "grant select on nothing to postgres"
    assert (select.key.shape, setting.key.shape) == ("select a from boxes", "set nothing = ?")
    session.rollback()
    assert select.key.fingerprint == read_schema(session).fingerprint != grant.key.fingerprint


@pytest.mark.parametrize("autocommit", [False, True])
def test_a_catalog_that_may_not_be_read_fails_no_transaction(sessions, notes, autocommit):
    owner, session = sessions(), sessions("clerk")
    owner.autocommit, session.autocommit = True, autocommit
    owner.execute("REVOKE SELECT ON information_schema.columns FROM PUBLIC")
    try:
        with notes.watch(session) as watched:
            if autocommit:
                watched.execute("BEGIN")
            for number in (1, 2):
                assert watched.execute(f"SELECT {number}").fetchone() == (number,)
            owner.execute("GRANT SELECT ON information_schema.columns TO PUBLIC")
            watched.execute("SELECT 3")
            refuse(watched, "SELECT nothing")
    finally:
        owner.execute("GRANT SELECT ON information_schema.columns TO PUBLIC")
    assert [refusal.key.shape for refusal in notes.refusals()] == ["select nothing"]


def test_temporary_tables_are_in_no_fingerprint(sessions, notes):
    session = sessions()
    fingerprint = read_schema(sessions()).fingerprint
    with notes.watch(session) as watched:
        watched.execute("CREATE TEMPORARY TABLE mine (a INTEGER)")
        refuse(watched, "SELECT b FROM mine")
    assert [refusal.key.fingerprint for refusal in notes.refusals()] == [fingerprint]


def test_a_block_that_rolls_back_ddl(sessions, notes):
    session = sessions()
    session.autocommit = True
    fingerprint = read_schema(session).fingerprint
    with notes.watch(session) as watched:
        with pytest.raises(ZeroDivisionError), session.transaction():  # psycopg's own, which is not watched
            watched.execute("ALTER TABLE orders ADD COLUMN tax INTEGER")
            watched.execute("SELECT tax FROM orders")
            raise ZeroDivisionError
        refuse(watched, "SELECT tax FROM orders")
    assert [refusal.key.fingerprint for refusal in notes.refusals()] == [fingerprint]


def test_a_query_has_run_when_the_driver_has_its_rows(sessions, notes):
    session = sessions()
    wrong, right = (f"SELECT id, {column} FROM accounts WHERE id > 0" for column in ("nothing", "owner"))
    with notes.watch(session) as watched:
        refuse(watched, wrong)
        watched.rollback()
        with watched.cursor("of_the_server") as cursor:
            cursor.execute(right)
        assert [refusal.worked for refusal in notes.refusals()] == [""]
        watched.execute(right).fetchone()
    assert [refusal.worked for refusal in notes.refusals()] == [
        "select id , owner from accounts where id > ?"
    ]


def test_an_engine_of_sqlalchemy(postgres_folder, connect, notes):
    import sqlalchemy

    engine = sqlalchemy.create_engine(f"postgresql+psycopg://postgres@/bank?host={postgres_folder}")
    with notes.watch(engine), engine.connect() as session:
        with pytest.raises(sqlalchemy.exc.ProgrammingError):
            session.execute(sqlalchemy.text("SELECT id, nothing FROM accounts WHERE id = 1"))
        session.rollback()
        session.execute(sqlalchemy.text("SELECT id, owner FROM accounts WHERE id = 1")).first()
    engine.dispose()
    assert [refusal.worked for refusal in notes.refusals()] == [
        "select id , owner from accounts where id = ?"
    ]
