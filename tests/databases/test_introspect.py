"""Schemas as the database declares them, and sample values."""

from __future__ import annotations

from pathlib import Path

from sqlmend.databases import Column, ForeignKey, open_database
from tests.databases.conftest import Build


def test_tables_columns_and_keys(build: Build) -> None:
    schema = open_database(
        build(
            "CREATE TABLE singer(id INTEGER PRIMARY KEY, name VARCHAR ( 20 ) NOT NULL, x, y 'odd type');"
            "CREATE TABLE pair(a INT, b INT, PRIMARY KEY (b, a)) WITHOUT ROWID;"
            "CREATE INDEX i ON singer(name);"
        )
    ).schema()
    assert [table.name for table in schema.tables] == ["singer", "pair"]
    assert schema.tables[0].columns == (
        Column("id", "INTEGER", primary_key=True),
        Column("name", "VARCHAR ( 20 )", not_null=True),
        Column("x", ""),
        Column("y", "odd type"),
    )
    assert [(column.name, column.primary_key) for column in schema.tables[1].columns] == [
        ("a", True),
        ("b", True),
    ]


def test_foreign_keys_are_written_as_declared(build: Build) -> None:
    schema = open_database(
        build(
            "CREATE TABLE Singer(Id INTEGER PRIMARY KEY);"
            "CREATE TABLE pair(a INT, b INT, PRIMARY KEY (b, a));"
            "CREATE TABLE song(id INT, singer INT REFERENCES SINGER(ID), band INT REFERENCES Gone(band_id),"
            " c INT, d INT, FOREIGN KEY (C, D) REFERENCES pair, FOREIGN KEY (d) REFERENCES lost,"
            " FOREIGN KEY (c) REFERENCES Pair)"
        )
    ).schema()
    assert schema.tables[2].foreign_keys == (
        ForeignKey(("singer",), "Singer", ("Id",)),
        ForeignKey(("band",), "Gone", ("band_id",)),
        ForeignKey(("c", "d"), "pair", ("b", "a")),
        ForeignKey(("d",), "lost", ()),
        ForeignKey(("c",), "pair", ()),
    )


def test_what_sqlite_keeps_for_itself_is_left_out(build: Build) -> None:
    database = open_database(
        build(
            "CREATE TABLE t(id INTEGER PRIMARY KEY AUTOINCREMENT, a, b AS (a + 1));"
            "INSERT INTO t(a) VALUES (1); CREATE VIRTUAL TABLE words USING fts5(text); ANALYZE;"
        )
    )
    assert [table.name for table in database.schema().tables] == ["t", "words"]
    assert [column.name for column in database.schema().tables[0].columns] == ["id", "a", "b"]
    assert [column.name for column in database.schema().tables[1].columns] == ["text"]


def test_views_are_listed_and_broken_ones_are_not(build: Build) -> None:
    database = open_database(
        build(
            "CREATE TABLE t(a INT); CREATE VIEW v AS SELECT a, a + 1 AS b FROM t;"
            "CREATE VIEW w AS SELECT * FROM gone"
        )
    )
    assert [(table.name, table.view) for table in database.schema().tables] == [("t", False), ("v", True)]
    assert [column.name for column in database.schema().tables[1].columns] == ["a", "b"]
    assert database.samples() == {"t": {"a": []}}


def test_an_empty_database(build: Build) -> None:
    database = open_database(build("CREATE TABLE t(a); DROP TABLE t"))
    assert (database.schema().tables, database.schema().ddl(), database.samples()) == ((), "", {})


def test_odd_names(build: Build) -> None:
    database = open_database(
        build(
            'CREATE TABLE "a ""b"" [c]; --"("x\'y" INT, "order" INT);'
            'INSERT INTO "a ""b"" [c]; --" VALUES (1, 2)'
        )
    )
    assert database.schema().tables[0].name == 'a "b" [c]; --'
    assert database.samples() == {'a "b" [c]; --': {"x'y": [1], "order": [2]}}


def test_samples_are_few_distinct_and_short(build: Build) -> None:
    database = open_database(
        build(
            "CREATE TABLE t(a, b, c, d);"
            "INSERT INTO t VALUES (1, NULL, 'x', x'00'), (1, NULL, '', 2.5), (2, NULL, 'x', 3),"
            f" (3, NULL, 'y', 3), (4, 'z', '{'long' * 100}', 4), (5, CAST(x'e9' AS TEXT), 1, 1);"
        )
    )
    assert database.samples() == {
        "t": {"a": [1, 2, 3], "b": ["z", "\udce9"], "c": ["x", "", "y"], "d": [2.5, 3, 4]},
    }
    assert database.samples(per_column=1) == {"t": {"a": [1], "b": ["z"], "c": ["x"], "d": [2.5]}}
    assert database.samples(per_column=9)["t"]["c"][3] == "long" * 25 + "..."


def test_samples_look_at_the_first_rows_only(build: Build) -> None:
    database = open_database(
        build(
            "CREATE TABLE t(a); INSERT INTO t WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r"
            " WHERE n < 501) SELECT CASE WHEN n > 500 THEN 'late' END FROM r"
        )
    )
    assert database.samples() == {"t": {"a": []}}


def test_introspection_opens_no_door(city: Path) -> None:
    database = open_database(city)
    database.schema()
    database.samples()
    for sql in ("PRAGMA table_info(city)", "SELECT * FROM pragma_table_info('city')", "DELETE FROM city"):
        assert database.execute(sql).status == "denied"


def test_real_databases(shared_dir: Path) -> None:
    paths = sorted((shared_dir / "data").glob("*/*/*/*.sqlite"))
    assert paths
    for path in paths:
        database = open_database(path)
        schema, samples = database.schema(), database.samples()
        assert schema.tables
        assert set(samples) == {table.name for table in schema.tables}
        for table in schema.tables:
            assert set(samples[table.name]) == {column.name for column in table.columns}
            assert table.name in schema.ddl()
