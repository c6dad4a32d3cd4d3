"""Watched connections: refusals become notes, and the caller sees what it would have seen."""

from __future__ import annotations

import sqlite3
from types import SimpleNamespace

import pytest

from sqlmend.databases import open_database
from sqlmend.errors import InputError
from sqlmend.memory.notes import FailureNotes, read_schema

DDL = "CREATE TABLE orders (id INTEGER PRIMARY KEY, status TEXT NOT NULL)"
RULE = (
    "CREATE TRIGGER shipped BEFORE UPDATE ON orders WHEN OLD.status = 'shipped' "
    "BEGIN SELECT RAISE(ABORT, 'a shipped order cannot be changed'); END"
)
ROWS = "INSERT INTO orders VALUES (1, 'shipped'), (2, 'open')"
REFUSED = "UPDATE orders SET status = 'open' WHERE id = 1"


@pytest.fixture
def notes(tmp_path):
    with FailureNotes(tmp_path / "notes.jsonl") as made:
        yield made


@pytest.fixture
def shop(tmp_path):
    connection = sqlite3.connect(tmp_path / "shop.sqlite")
    for sql in (DDL, RULE, ROWS):
        connection.execute(sql)
    connection.commit()
    yield connection
    connection.close()


def classes(notes):
    return [refusal.error_class for refusal in notes.refusals()]


def test_a_refused_statement_is_recorded_and_raised(notes, shop, tmp_path):
    with notes.watch(shop) as watched, pytest.raises(sqlite3.IntegrityError, match="shipped order"):
        watched.execute(REFUSED)
    schema = open_database(tmp_path / "shop.sqlite").schema()
    note = notes.lookup("UPDATE orders SET status='x' WHERE id=9", schema, backend="sqlite")
    assert note is not None and note.error_class == "raised_rule"
    shop.execute("SELECT 1")  # the connection itself stays open


def test_results_are_those_of_the_connection(notes, shop):
    with notes.watch(shop) as watched:
        assert watched.execute("SELECT * FROM orders").fetchall() == [(1, "shipped"), (2, "open")]
        cursor = watched.cursor()
        assert cursor.execute("SELECT id FROM orders") is cursor
        assert list(cursor) == [(1,), (2,)]
        assert cursor.description[0][0] == "id"
        cursor.arraysize = 7
        assert cursor.arraysize == 7
        assert next(watched.execute("SELECT 5")) == (5,)
        assert watched.in_transaction is False
        with watched as inner:
            inner.execute("UPDATE orders SET status = 'paid' WHERE id = 2")
        assert watched.execute("SELECT status FROM orders WHERE id = 2").fetchone() == ("paid",)
        with pytest.raises(AttributeError):
            watched.no_such_thing  # noqa: B018
    assert classes(notes) == []


def test_of_all_calls_and_cursors(notes, shop):
    with notes.watch(shop) as watched:
        for call, arguments in (
            (watched.execute, ("SELECT x FROM orders",)),
            (watched.cursor().execute, ("SELECT y FROM orders WHERE id = ?", (1,))),
            (watched.executemany, ("INSERT INTO orders VALUES (?, ?)", [(3, "a"), (3, "b")])),
            (watched.executescript, ("SELECT 1; UPDATE orders SET missing = 1",)),
        ):
            with pytest.raises(sqlite3.Error):
                call(*arguments)
    assert classes(notes) == [
        "schema_reference",
        "schema_reference",
        "constraint_violation",
        "schema_reference",
    ]


def test_what_fails_while_rows_are_fetched(notes, shop):
    sql = "SELECT CASE WHEN id = 2 THEN abs(-9223372036854775808) ELSE id END FROM orders"
    with notes.watch(shop) as watched:
        for read in (list, lambda cursor: cursor.fetchall(), lambda cursor: [next(cursor), next(cursor)]):
            with pytest.raises(sqlite3.OperationalError, match="overflow"):
                read(watched.execute(sql))
    assert len(notes.refusals()) == 1


def test_what_the_driver_objects_to_is_no_verdict(notes, shop):
    with notes.watch(shop) as watched:
        for arguments in (("SELECT ?", ()), ("SELECT 1; SELECT 2",), (5,)):
            with pytest.raises((sqlite3.Error, TypeError, ValueError)):
                watched.execute(*arguments)
    assert classes(notes) == []


def test_the_statement_may_be_given_by_name(notes, shop):
    class Cursor:
        """Takes names, as psycopg's and DuckDB's do."""

        def execute(self, query, params=()):
            return shop.execute(query, params)

    with notes.watch(Cursor(), schema="sha256:given", backend="sqlite") as watched:
        assert watched.execute(query="SELECT ?", params=(3,)).fetchone() == (3,)
        with pytest.raises(sqlite3.OperationalError):
            watched.execute(query="SELECT x FROM orders")
        with pytest.raises(TypeError, match="required positional argument: 'query'"):
            watched.execute()
    assert classes(notes) == ["schema_reference"]


@pytest.mark.parametrize(
    "before", ["-- who\n", "/* who */ /* DROP */", "\n (", "/**/" * 5000, "/*" + ";/* " * 20_000 + "*/"]
)
def test_what_stands_before_the_statement(notes, shop, before):
    with notes.watch(shop) as watched:
        with pytest.raises(sqlite3.Error):
            watched.execute(f"{before}SELECT x FROM orders")
        watched.execute(f"{before.rstrip('(')}ALTER TABLE orders ADD COLUMN note TEXT")
        with pytest.raises(sqlite3.Error):
            watched.execute("SELECT y FROM orders")
    assert [refusal.key.fingerprint for refusal in notes.refusals()][1:] == [read_schema(shop).fingerprint]


def _error(kind, text, **values):
    family = type("DatabaseError", (Exception,), {})
    error = type(kind, (family,), {})(*text) if isinstance(text, tuple) else type(kind, (family,), {})(text)
    for name, value in values.items():
        setattr(error, name, value)
    return error


@pytest.mark.parametrize(
    ("backend", "error", "recorded"),
    [
        ("postgres", _error("UniqueViolation", "duplicate key", sqlstate="23505"), True),
        ("postgres", _error("UniqueViolation", "duplicate key", pgcode="23505"), True),
        (
            "postgres",
            _error("DatabaseError", "a rule", sqlstate=None, diag=SimpleNamespace(sqlstate="RU001")),
            True,
        ),
        ("postgres", _error("InFailedSqlTransaction", "current transaction is", sqlstate="25P02"), False),
        ("postgres", _error("AdminShutdown", "terminating connection", sqlstate="57P01"), False),
        ("postgres", _error("ProgrammingError", "no results to fetch", pgcode=None), False),
        ("postgres", _error("OperationalError", "the connection is closed", sqlstate=None), False),
        ("mysql", _error("IntegrityError", (1062, "Duplicate entry 'x' for key 'k'")), True),
        ("mysql", _error("OperationalError", (2013, "Lost connection to MySQL server during query")), False),
        ("duckdb", _error("InvalidInputException", "Invalid Input Error: a rule"), True),
        ("duckdb", _error("InvalidInputException", "Invalid Input Error: No open result set"), False),
        ("duckdb", _error("ConnectionException", "Connection Error: Connection already closed!"), False),
        ("postgres", ValueError("of the driver"), False),
    ],
)
def test_what_says_nothing_of_the_statement_is_no_verdict(notes, backend, error, recorded):
    class Cursor:
        def execute(self, sql):
            raise error

    with (
        notes.watch(Cursor(), schema="sha256:given", backend=backend) as watched,
        pytest.raises(type(error)),
    ):
        watched.execute("SELECT 1")
    assert len(notes.refusals()) == recorded


def test_duckdb_in_a_failed_transaction(notes):
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    with notes.watch(duckdb.connect()) as watched:
        watched.execute(DDL)
        watched.execute("BEGIN")
        for sql in ("INSERT INTO orders VALUES (1, 'a'), (1, 'b')", "SELECT id FROM orders"):
            with pytest.raises(duckdb.Error):
                watched.execute(sql)
    assert classes(notes) == ["constraint_violation"]


def test_a_later_success_of_the_same_shape_is_told(notes, shop):
    with notes.watch(shop) as watched:
        watched.execute("UPDATE orders SET status = 'paid' WHERE id = 2")
        with pytest.raises(sqlite3.IntegrityError):
            watched.execute(REFUSED)
        watched.execute("SELECT 1")
        watched.execute("UPDATE orders SET status = 'open' WHERE id = 1 AND status <> 'shipped'")
    (refusal,) = notes.refusals()
    assert refusal.worked == "update orders set status = ? where id = ? and status <> ?"


def test_the_schema_follows_the_ddl(notes, shop):
    with notes.watch(shop) as watched:
        before = read_schema(shop)
        with pytest.raises(sqlite3.Error):
            watched.execute("SELECT tax FROM orders")
        watched.execute("ALTER TABLE orders ADD COLUMN note TEXT")
        with pytest.raises(sqlite3.Error):
            watched.execute("SELECT tax FROM orders")
    fingerprints = [refusal.key.fingerprint for refusal in notes.refusals()]
    assert fingerprints == [before.fingerprint, read_schema(shop).fingerprint]
    assert fingerprints[0] != fingerprints[1]


def test_after_the_block_nothing_is_recorded(notes, shop):
    with notes.watch(shop, schema="sha256:given") as watched:
        pass
    with pytest.raises(sqlite3.Error):
        watched.execute("SELECT x FROM orders")
    assert classes(notes) == []


def test_a_connection_with_a_row_factory_of_its_own(notes, shop):
    shop.row_factory = lambda cursor, row: {"only": row[0]}
    with notes.watch(shop) as watched, pytest.raises(sqlite3.Error):
        watched.execute("SELECT x FROM orders")
    assert classes(notes) == ["schema_reference"]
    assert shop.execute("SELECT 3").fetchone() == {"only": 3}


def test_a_schema_that_cannot_be_read_is_no_ones_trouble(notes, shop, caplog):
    asked = []
    shop.set_trace_callback(asked.append)
    with notes.watch(shop, backend="mysql") as watched:
        for number in range(200):
            assert watched.execute("SELECT ?", (number,)).fetchone() == (number,)
        with pytest.raises(sqlite3.Error):
            watched.execute("SELECT x")
    assert classes(notes) == [] and len(caplog.records) == 1
    assert 2 < asked.count("PRAGMA busy_timeout = 0") < 12  # ever more rarely


def test_refusals_do_not_ask_more_often_for_a_schema_that_cannot_be_read(notes, shop):
    asked = []
    shop.set_trace_callback(asked.append)
    with notes.watch(shop, backend="mysql") as watched:
        for _ in range(1000):
            with pytest.raises(sqlite3.Error):
                watched.execute("SELECT x")
    assert 2 < asked.count("PRAGMA busy_timeout = 0") < 40


def test_where_the_connection_is_gone_no_schema_is_asked_for(notes):
    class Connection:
        """A server that went away."""

        asked = 0

        def execute(self, sql):
            raise _error("OperationalError", (2006, "MySQL server has gone away"))

        def cursor(self):
            self.asked += 1
            return self

    connection = Connection()
    with notes.watch(connection, backend="mysql") as watched, pytest.raises(Exception, match="gone away"):
        watched.execute("KILL 1")  # nothing is read before it
    assert connection.asked == 0 and classes(notes) == []


def test_a_schema_without_tables_may_be_given(notes, shop):
    asked = []
    shop.set_trace_callback(asked.append)
    with notes.watch(shop, schema={}) as watched, pytest.raises(sqlite3.Error):
        watched.execute("SELECT x FROM orders")
    assert asked == []
    assert notes.lookup("SELECT x FROM orders", {}, backend="sqlite") is not None


def test_a_schema_that_cannot_be_read_at_first_is_read_later(notes, shop, tmp_path):
    shop.execute("PRAGMA busy_timeout = 1")
    other = sqlite3.connect(tmp_path / "shop.sqlite", isolation_level=None)
    insert = "INSERT INTO orders VALUES (3, 'new')"
    with notes.watch(shop) as watched:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            watched.execute(insert)
        other.execute("COMMIT")
        watched.execute(insert)
        with pytest.raises(sqlite3.IntegrityError):
            watched.execute(insert)
    other.close()
    assert classes(notes) == ["constraint_violation"]
    assert shop.execute("PRAGMA busy_timeout").fetchone() == (1,)


def test_a_refusal_is_recorded_where_the_schema_was_not_read_before(notes, shop):
    with notes.watch(shop) as watched:
        for sql in ("SELEC 1", "VACUUM nothing"):
            with pytest.raises(sqlite3.OperationalError):
                watched.execute(sql)
    assert [refusal.key.shape for refusal in notes.refusals()] == ["selec ?", "vacuum nothing"]


def test_ddl_that_is_rolled_back(notes, shop):
    shop.isolation_level = None
    before = read_schema(shop).fingerprint

    def by_method(watched):
        watched.rollback()

    def by_statement(watched):
        watched.execute("ROLLBACK")

    def by_block(watched):
        with pytest.raises(ZeroDivisionError), watched:
            raise ZeroDivisionError

    for number, roll_back in enumerate((by_method, by_statement, by_block)):
        with notes.watch(shop) as watched:
            watched.execute("BEGIN")
            watched.execute(f"ALTER TABLE orders ADD COLUMN c{number}")
            watched.execute(f"SELECT c{number} FROM orders").fetchall()
            roll_back(watched)
            with pytest.raises(sqlite3.OperationalError, match="no such column"):
                watched.execute(f"SELECT c{number} FROM orders")
    assert [refusal.key.fingerprint for refusal in notes.refusals()] == [before] * 3


def test_ddl_that_is_taken_back_to_a_savepoint(notes, shop):
    shop.isolation_level = None
    before = read_schema(shop).fingerprint
    with notes.watch(shop) as watched:
        for sql in ("BEGIN", "SAVEPOINT a", "ALTER TABLE orders ADD COLUMN c", "SELECT c FROM orders"):
            watched.execute(sql).fetchall()
        watched.execute("ROLLBACK TO a")
        with pytest.raises(sqlite3.OperationalError):
            watched.execute("SELECT c FROM orders")
        watched.execute("ROLLBACK")
    assert [refusal.key.fingerprint for refusal in notes.refusals()] == [before]


def test_a_commit_that_fails_is_not_recorded(notes, shop):
    shop.isolation_level = None
    shop.execute("PRAGMA foreign_keys = ON")
    shop.execute("CREATE TABLE items (o INTEGER REFERENCES orders (id) DEFERRABLE INITIALLY DEFERRED)")
    with notes.watch(shop) as watched:
        watched.execute("BEGIN")
        watched.execute("INSERT INTO items VALUES (99)")
        with pytest.raises(sqlite3.IntegrityError):
            watched.execute("COMMIT")
    assert classes(notes) == []


READS = {
    "fetchall": lambda cursor: cursor.fetchall(),
    "list": list,
    "for": lambda cursor: [row for row in cursor],  # noqa: C416
    "next": lambda cursor: [next(cursor), next(cursor), next(cursor, None)],
    "fetchone": lambda cursor: list(iter(cursor.fetchone, None)),
    "fetchmany": lambda cursor: list(iter(cursor.fetchmany, [])),
}
DOCUMENTS = "SELECT json_extract(status, '$.a') FROM orders"


@pytest.mark.parametrize("read", READS.values(), ids=READS)
def test_a_query_has_run_when_its_rows_were_read_to_the_end(notes, shop, read):
    shop.executescript("DROP TRIGGER shipped; UPDATE orders SET status = '{}' WHERE id = 1")
    with notes.watch(shop) as watched:
        for _ in range(2):
            with pytest.raises(sqlite3.OperationalError, match="JSON"):
                read(watched.execute(DOCUMENTS))
        (refusal,) = notes.refusals()
        assert refusal.worked == ""
        watched.execute("UPDATE orders SET status = '{}'")
        cursor = watched.execute(DOCUMENTS)
        assert notes.refusals()[0].worked == ""
        read(cursor)
    assert notes.refusals()[0].worked == "select json_extract ( status , ? ) from orders"


def test_rows_that_nobody_reads_to_the_end_tell_nothing(notes, shop):
    shop.executescript("DROP TRIGGER shipped; UPDATE orders SET status = '{}' WHERE id = 1")
    with notes.watch(shop) as watched:
        with pytest.raises(sqlite3.OperationalError):
            watched.execute(DOCUMENTS).fetchall()
        cursor = watched.cursor()
        cursor.execute(DOCUMENTS)
        cursor.execute("SELECT 1").fetchall()
        cursor.fetchall()
    assert notes.refusals()[0].worked == ""


COUNT = "SELECT count(*), max(id) FROM orders"
SINGLE = {
    "fetchone": lambda cursor: cursor.fetchone()[0],
    "fetchmany": lambda cursor: cursor.fetchmany(1),
    "next": next,
}


@pytest.mark.parametrize("read", SINGLE.values(), ids=SINGLE)
def test_a_single_row_tells_when_the_next_statement_comes(notes, shop, read):
    with notes.watch(shop) as watched:
        with pytest.raises(sqlite3.OperationalError):
            watched.execute("SELECT count(*), max(x) FROM orders")
        read(watched.execute(COUNT))
        assert notes.refusals()[0].worked == ""  # its next row may still be refused
        watched.execute("SELECT 1")
        assert notes.refusals()[0].worked == "select count ( * ) , max ( id ) from orders"


def test_a_single_row_tells_at_the_end_of_the_watch(notes, shop):
    with notes.watch(shop) as watched:
        with pytest.raises(sqlite3.OperationalError):
            watched.execute("SELECT count(*), max(x) FROM orders")
        watched.execute(COUNT).fetchone()
    assert notes.refusals()[0].worked == "select count ( * ) , max ( id ) from orders"


def test_a_row_before_a_refusal_tells_nothing(notes, shop):
    shop.executescript(
        "DROP TRIGGER shipped; UPDATE orders SET status = '{}'; INSERT INTO orders VALUES (3, '')"
    )
    with notes.watch(shop) as watched:
        for _ in range(2):
            cursor = watched.execute(DOCUMENTS)
            assert cursor.fetchone() == (None,)
            with pytest.raises(sqlite3.OperationalError, match="JSON"):
                cursor.fetchone()
        watched.execute("SELECT 1")
    assert [refusal.worked for refusal in notes.refusals()] == [""]


def test_what_writes_has_run_before_its_rows(notes, shop):
    sql = "UPDATE orders SET status = 'open' WHERE id = ? RETURNING id"
    with notes.watch(shop) as watched:
        with pytest.raises(sqlite3.IntegrityError):
            watched.execute(sql, (1,))
        watched.execute(sql, (2,))
    assert notes.refusals()[0].worked == "update orders set status = ? where id = ? returning id"


def test_an_unknown_driver_is_refused_at_once(notes):
    with pytest.raises(InputError, match="no known driver"), notes.watch(object()):
        pass
    with pytest.raises(InputError, match="unknown backend"), notes.watch(object(), backend="oracle"):
        pass
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="needs sqlalchemy")
    with (
        sqlalchemy.create_engine("sqlite://").connect() as connection,  # its errors are told to engines alone
        pytest.raises(InputError, match="no known driver"),
        notes.watch(connection),
    ):
        pass


def test_duckdb(notes):
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    connection = duckdb.connect()
    with notes.watch(connection) as watched:
        assert watched.execute(DDL) is watched
        watched.execute(ROWS)
        with pytest.raises(duckdb.ConstraintException):
            watched.execute("INSERT INTO orders VALUES (1, 'x')")
        with pytest.raises(duckdb.BinderException):
            watched.cursor().execute("SELECT x FROM orders")
        assert watched.sql("SELECT id FROM orders ORDER BY id").fetchall() == [(1,), (2,)]
        assert watched.execute("SELECT count(*) FROM orders").fetchone() == (2,)
    assert classes(notes) == ["constraint_violation", "schema_reference"]
    schema = read_schema(connection)
    assert [(column.name, column.type) for column in schema.tables[0].columns] == [
        ("id", "INTEGER"),
        ("status", "VARCHAR"),
    ]
    assert notes.lookup("INSERT INTO orders VALUES (8, 'y')", schema, backend="duckdb") is not None


def test_duckdb_runs_a_query_where_it_is_read(notes):
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    query = "SELECT CAST(status AS INTEGER) FROM orders"
    with notes.watch(duckdb.connect()) as watched:
        watched.execute(DDL)
        watched.execute(ROWS)
        for _ in range(2):
            with pytest.raises(duckdb.ConversionException):
                watched.execute(query).fetchall()
        with pytest.raises(duckdb.ConversionException):
            watched.sql(query).fetchall()
        assert notes.refusals()[0].worked == ""
        watched.sql("UPDATE orders SET status = '1'")
        assert watched.execute(query).fetchall() == [(1,), (1,)]
        with pytest.raises(duckdb.CatalogException):
            watched.execute("FROM nothing")
        watched.execute("BEGIN")
        watched.execute("ALTER TABLE orders ADD COLUMN c INTEGER")
        watched.execute("SELECT c FROM orders").fetchall()
        watched.execute("ROLLBACK")
        with pytest.raises(duckdb.BinderException):
            watched.execute("SELECT c FROM orders")
    first, second, third = notes.refusals()
    assert first.worked == "select cast ( status as integer ) from orders"
    assert (second.key.shape, third.key.shape) == ("from nothing", "select c from orders")
    assert {refusal.key.fingerprint for refusal in (first, second, third)} == {first.key.fingerprint}


@pytest.mark.parametrize(
    ("read", "needs"),
    [
        ("fetchall", "duckdb"),
        ("df", "pandas"),
        ("fetchdf", "pandas"),
        ("fetchnumpy", "numpy"),
        ("to_arrow_table", "pyarrow"),
    ],
)
@pytest.mark.filterwarnings("ignore:Arrow output")
def test_all_that_duckdb_reads_to_the_end_tells(notes, read, needs):
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    pytest.importorskip(needs, reason=f"needs {needs}")
    query = "SELECT CAST(status AS INTEGER) FROM orders"
    with notes.watch(duckdb.connect()) as watched:
        watched.execute(DDL)
        watched.execute(ROWS)
        with pytest.raises(duckdb.ConversionException):
            getattr(watched.execute(query), read)()
        watched.execute("UPDATE orders SET status = '1'")
        getattr(watched.execute(query), read)()
        assert [refusal.worked for refusal in notes.refusals()] == [
            "select cast ( status as integer ) from orders"
        ]


@pytest.mark.filterwarnings("ignore:Arrow output")
def test_what_duckdb_leaves_to_be_read_tells_nothing(notes):
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    pytest.importorskip("pyarrow", reason="needs pyarrow")
    with notes.watch(duckdb.connect()) as watched:
        watched.execute(DDL)
        with pytest.raises(duckdb.BinderException):
            watched.execute("SELECT id, x FROM orders")
        for read in (
            lambda sql: watched.sql(sql).fetchall(),
            lambda sql: watched.execute(sql).to_arrow_reader(),
        ):
            read("SELECT id, status FROM orders")
    assert [refusal.worked for refusal in notes.refusals()] == [""]


def test_ddl_of_one_connection_beside_another(notes):
    duckdb = pytest.importorskip("duckdb", reason="needs duckdb")
    alter = "ALTER TABLE orders ADD COLUMN c INTEGER"
    fingerprints = []
    with duckdb.connect() as connection:
        for sql in (DDL, alter):
            connection.execute(sql)
            fingerprints.append(read_schema(connection).fingerprint)
    committed, changed = fingerprints
    with duckdb.connect() as connection, notes.watch(connection) as watched:
        watched.execute(DDL)
        first, second = watched.cursor(), watched.cursor()
        first.execute("BEGIN")
        first.execute(alter)
        second.execute("SELECT id FROM orders").fetchall()
        with pytest.raises(duckdb.BinderException):
            first.execute("SELECT x FROM orders")
        second.execute("CREATE TEMPORARY TABLE own (a INTEGER)")
        first.execute("ROLLBACK")
        with pytest.raises(duckdb.BinderException):
            first.execute("SELECT y FROM orders")
    assert [refusal.key.fingerprint for refusal in notes.refusals()] == [changed, committed]


def test_ddl_that_a_connection_of_an_engine_rolls_back_beside_another(notes, tmp_path, shop):
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="needs sqlalchemy")
    before = read_schema(shop).fingerprint
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'shop.sqlite'}")
    read = sqlalchemy.text("SELECT id FROM orders")
    with notes.watch(engine), engine.connect() as first, engine.connect() as second:
        first.execute(sqlalchemy.text("BEGIN"))
        first.execute(sqlalchemy.text("ALTER TABLE orders ADD COLUMN c"))
        first.execute(read).all()
        changed = read_schema(first.connection.dbapi_connection).fingerprint
        second.execute(read).all()
        for connection, column in ((first, "x"), (second, "y")):
            with pytest.raises(sqlalchemy.exc.OperationalError):
                connection.execute(sqlalchemy.text(f"SELECT {column} FROM orders"))
        first.rollback()
        with pytest.raises(sqlalchemy.exc.OperationalError):
            first.execute(sqlalchemy.text("SELECT c FROM orders"))
    engine.dispose()
    assert [refusal.key.fingerprint for refusal in notes.refusals()] == [changed, before, before]


def test_an_engine_of_sqlalchemy_that_loses_its_connection(notes, tmp_path, shop):
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="needs sqlalchemy")
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'shop.sqlite'}")
    read = sqlalchemy.text("SELECT id FROM orders")
    with notes.watch(engine):
        with pytest.raises(KeyError, match="of the caller"), engine.begin() as connection:
            connection.execute(read).all()
            connection.invalidate()
            raise KeyError("of the caller")
        with engine.connect() as connection:
            transaction = connection.begin()
            connection.execute(read).all()
            connection.invalidate()
            transaction.rollback()
            assert connection.execute(read).all() == [(1,), (2,)]
    engine.dispose()


def test_an_engine_of_sqlalchemy_goes_on_whatever_a_listener_raises(
    notes, tmp_path, shop, monkeypatch, caplog
):
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="needs sqlalchemy")
    monkeypatch.setattr("sqlmend.memory.notes._recorder.Recorder.sent", None)
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'shop.sqlite'}")
    with notes.watch(engine), engine.connect() as connection:
        assert connection.execute(sqlalchemy.text("SELECT id FROM orders")).all() == [(1,), (2,)]
    engine.dispose()
    assert "is not recorded" in caplog.text


def test_an_engine_of_sqlalchemy_tells_what_fails_while_rows_are_read(notes, tmp_path, shop):
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="needs sqlalchemy")
    shop.executescript("DROP TRIGGER shipped; UPDATE orders SET status = '{}' WHERE id = 1")
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'shop.sqlite'}")
    with notes.watch(engine), engine.connect() as connection:
        for _ in range(2):
            with pytest.raises(sqlalchemy.exc.OperationalError):
                connection.execute(sqlalchemy.text(DOCUMENTS)).all()
    engine.dispose()
    assert [refusal.worked for refusal in notes.refusals()] == [""]


def test_an_engine_of_sqlalchemy_whose_ddl_is_rolled_back(notes, tmp_path, shop):
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="needs sqlalchemy")
    before = read_schema(shop).fingerprint
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'shop.sqlite'}")
    query = sqlalchemy.text("SELECT c FROM orders")
    with notes.watch(engine), engine.connect() as connection:
        connection.execute(sqlalchemy.text("BEGIN"))  # pysqlite begins nothing for DDL
        connection.execute(sqlalchemy.text("ALTER TABLE orders ADD COLUMN c"))
        connection.execute(query).all()
        connection.rollback()
        with pytest.raises(sqlalchemy.exc.OperationalError):
            connection.execute(query)
    engine.dispose()
    assert [refusal.key.fingerprint for refusal in notes.refusals()] == [before]


def test_an_engine_of_sqlalchemy(notes, tmp_path, shop):
    sqlalchemy = pytest.importorskip("sqlalchemy", reason="needs sqlalchemy")
    engine = sqlalchemy.create_engine(f"sqlite:///{tmp_path / 'shop.sqlite'}")
    update = sqlalchemy.text("UPDATE orders SET status = :status WHERE id = :id")
    with notes.watch(engine) as watched:
        assert watched is engine
        with engine.connect() as connection, pytest.raises(sqlalchemy.exc.IntegrityError):
            connection.execute(update, {"status": "open", "id": 1})
        with engine.begin() as connection:
            connection.execute(update, {"status": "paid", "id": 2})
    note = notes.lookup(REFUSED, read_schema(shop), backend="sqlite")
    assert note is not None and note.error_class == "raised_rule" and "same form ran later" in note
    with engine.connect() as connection, pytest.raises(sqlalchemy.exc.OperationalError):
        connection.execute(sqlalchemy.text("SELECT x FROM orders"))
    assert len(notes.refusals()) == 1
    engine.dispose()
