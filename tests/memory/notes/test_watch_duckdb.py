"""A watched connection of DuckDB: the caller's variables, relations, and rows that wait."""

from __future__ import annotations

import runpy

import pytest

from sqlmend.memory.notes import FailureNotes, read_schema
from sqlmend.memory.notes._frame import called_from

duckdb = pytest.importorskip("duckdb", reason="needs duckdb")

EVERY_CALL = ("execute", "sql", "query", "from_query")


@pytest.fixture
def notes(tmp_path):
    with FailureNotes(tmp_path / "notes.jsonl") as made:
        yield made


@pytest.fixture
def shop():
    connection = duckdb.connect()
    connection.execute("CREATE TABLE orders (id INTEGER, status VARCHAR)")
    connection.execute("INSERT INTO orders VALUES (1, 'open'), (2, 'paid')")
    yield connection
    connection.close()


def refused(notes):
    return [(refusal.error_class, refusal.key.shape) for refusal in notes.refusals()]


def of_this_frame(connection, call):
    seven = connection.sql("SELECT 7 AS a")
    assert seven.columns == ["a"]
    return getattr(connection, call)("SELECT * FROM seven").fetchall()


def of_a_closure(connection, call):
    seven = connection.sql("SELECT 7 AS a")

    def inner():
        assert seven.columns == ["a"]
        return getattr(connection, call)("SELECT * FROM seven").fetchall()

    return inner()


def of_the_frame_above(connection, call):
    seven = connection.sql("SELECT 7 AS a")

    def inner():
        return getattr(connection, call)("SELECT * FROM seven").fetchall()

    assert seven.columns == ["a"]
    return inner()


def of_a_frame_that_has_ended(connection, call):
    def inner():
        seven = connection.sql("SELECT 7 AS a")
        assert seven.columns == ["a"]
        return getattr(connection, call)("SELECT * FROM seven")

    return inner().fetchall()


def of_the_module(connection, call):
    globals()["SEVEN"] = connection.sql("SELECT 7 AS a")
    return getattr(connection, call)("SELECT * FROM SEVEN").fetchall()


def of_all_frames(connection, call):
    connection.execute("SET python_scan_all_frames = true")
    return of_the_frame_above(connection, call)


@pytest.mark.parametrize("call", EVERY_CALL)
@pytest.mark.parametrize(
    ("where", "is_seen"),
    [
        (of_this_frame, True),
        (of_a_closure, True),
        (of_the_frame_above, False),
        (of_a_frame_that_has_ended, True),
        (of_the_module, True),
        (of_all_frames, True),
    ],
)
def test_a_table_may_be_a_variable_where_it_may_be_one_without_watching(notes, where, is_seen, call):
    def said(connection):
        try:
            return where(connection, call)
        except duckdb.Error as error:
            return type(error)

    expected = [(7,)] if is_seen else duckdb.CatalogException
    assert said(duckdb.connect()) == expected
    with notes.watch(duckdb.connect()) as watched:
        assert said(watched) == expected
        assert said(watched.cursor()) == expected
    assert [name for name, _ in refused(notes)] == ([] if is_seen else ["schema_reference"])


def test_a_table_may_be_a_variable_of_a_script(notes, tmp_path):
    script = tmp_path / "script.py"
    script.write_text("seven = con.sql('SELECT 7 AS a')\nrows = con.execute('FROM seven').fetchall()\n")
    with notes.watch(duckdb.connect()) as watched:
        assert runpy.run_path(str(script), {"con": watched})["rows"] == [(7,)]


def test_a_frame_of_pandas(notes):
    pandas = pytest.importorskip("pandas", reason="needs pandas")
    frame = pandas.DataFrame({"a": [1, 2]})
    with notes.watch(duckdb.connect()) as watched:
        assert watched.execute("SELECT sum(a) FROM frame").fetchall() == [(frame.a.sum(),)]
        watched.execute("CREATE TABLE t (a INTEGER)")
        watched.executemany("INSERT INTO t SELECT a + ? FROM frame", [[1], [2]])
        assert watched.execute("SELECT count(*) FROM t").fetchall() == [(4,)]


def test_a_call_from_no_frame_of_python():
    assert called_from(None, lambda: 1) == 1  # a thread of its own may begin with the call


@pytest.mark.parametrize("call", EVERY_CALL[1:])
def test_what_is_refused_when_a_relation_is_made_is_recorded(notes, shop, call):
    with notes.watch(shop) as watched, pytest.raises(duckdb.BinderException):
        getattr(watched, call)("SELECT nope FROM orders")
    assert refused(notes) == [("schema_reference", "select nope from orders")]
    assert notes.refusals()[0].key.fingerprint == read_schema(shop).fingerprint


def test_a_relation_is_what_it_is_and_one_line_says_that_its_reading_is_not_seen(notes, shop, caplog):
    with notes.watch(shop) as watched:
        watched.sql("UPDATE orders SET status = 'x' WHERE id = 2")
        assert caplog.records == []
        for connection in (watched, watched.cursor()):
            for call in EVERY_CALL[1:]:
                relation = getattr(connection, call)("SELECT CAST(status AS INTEGER) FROM orders")
                assert type(relation) is duckdb.DuckDBPyRelation
                with pytest.raises(duckdb.ConversionException):
                    relation.fetchall()
    assert refused(notes) == []
    (line,) = caplog.records
    assert "a relation of DuckDB" in line.getMessage()


def test_a_relation_leaves_the_rows_that_wait(notes, shop):
    for call in EVERY_CALL[1:]:
        shop.execute("SELECT * FROM range(5000)")
        assert shop.fetchone() == (0,)
        with notes.watch(shop) as watched:
            getattr(watched, call)("SELECT 1")
            assert watched.fetchone() == (1,)
            with pytest.raises(duckdb.BinderException):
                getattr(watched, call)("SELECT nope FROM orders")
            assert len(watched.fetchall()) == 4998
    assert refused(notes) == []  # the schema could not be read, as rows waited


def test_rows_that_wait_for_another_statement_are_no_verdict(notes, shop):
    with notes.watch(shop) as watched:
        watched.execute("SELECT * FROM range(5)")
        watched.fetchone()
        with pytest.raises(duckdb.Error, match="unfinished result"):
            watched.sql("INSERT INTO orders VALUES (3, 'new')")
        assert len(watched.fetchall()) == 4
    assert refused(notes) == []


def test_what_fails_in_rows_that_waited_is_of_their_own_statement(notes, shop):
    query = "SELECT CAST(CASE WHEN range < 999999 THEN '1' ELSE 'x' END AS INTEGER) FROM range(1000000)"
    with notes.watch(shop) as watched:
        watched.execute(query)
        watched.fetchone()
        watched.sql("SELECT id FROM orders")
        with pytest.raises(duckdb.ConversionException):
            watched.fetchall()
    ((error_class, shape),) = refused(notes)
    assert error_class == "type_mismatch"
    assert shape.startswith("select cast ( case")


def test_the_schema_before_a_relation_is_that_of_the_session(notes, tmp_path):
    with duckdb.connect() as connection:
        connection.execute(f"ATTACH '{tmp_path / 'other.db'}' AS other")
        connection.execute("USE other")
        connection.execute("BEGIN")
        connection.execute("CREATE TABLE items (id INTEGER)")
        with notes.watch(connection) as watched, pytest.raises(duckdb.BinderException):
            watched.sql("SELECT nope FROM items")
        (refusal,) = notes.refusals()
        assert refusal.key.fingerprint == read_schema(connection).fingerprint
        assert read_schema(connection).tables[0].name == "items"
