"""Schemas as text."""

from __future__ import annotations

import sqlite3

import pytest

from sqlmend.databases import (
    Column,
    ColumnDescription,
    Descriptions,
    ForeignKey,
    Schema,
    Table,
    open_database,
    quote_name,
    render_ddl,
)
from sqlmend.databases._ddl import _RESERVED
from sqlmend.databases._tokens import KEYWORDS
from tests.databases.conftest import Build

_SCHEMA = Schema(
    (
        Table(
            "singer", (Column("id", "INTEGER", primary_key=True), Column("stage name", "TEXT", not_null=True))
        ),
        Table(
            "order",
            (Column("a", "INT", primary_key=True), Column("b", "", primary_key=True)),
            (ForeignKey(("a",), "singer", ("id",)), ForeignKey(("a", "b"), "gone", ())),
        ),
        Table("v", (Column("a"),), view=True),
    )
)


def test_one_column_a_line() -> None:
    assert _SCHEMA.ddl() == (
        "CREATE TABLE singer (\n"
        "  id INTEGER PRIMARY KEY,\n"
        '  "stage name" TEXT NOT NULL\n'
        ");\n\n"
        'CREATE TABLE "order" (\n'
        "  a INT,\n"
        "  b,\n"
        "  PRIMARY KEY (a, b),\n"
        "  FOREIGN KEY (a) REFERENCES singer (id),\n"
        "  FOREIGN KEY (a, b) REFERENCES gone\n"
        ");\n\n"
        "CREATE VIEW v (\n  a\n);"
    )


def test_samples_and_descriptions_are_comments() -> None:
    samples = {"singer": {"id": [1, 2.5], "stage name": ["O'Hara", "two\nlines -- x"]}}
    described = Descriptions(
        {
            "singer": {
                "id": ColumnDescription("", "unique\nid"),
                "stage name": ColumnDescription("name", "", "text", "any"),
            }
        }
    )
    assert render_ddl(Schema(_SCHEMA.tables[:1]), samples, described) == (
        "CREATE TABLE singer (\n"
        "  id INTEGER PRIMARY KEY, -- unique id; e.g. 1, 2.5\n"
        "  \"stage name\" TEXT NOT NULL -- name; any; e.g. 'O''Hara', 'two lines -- x'\n"
        ");"
    )


def test_samples_alone_and_long_descriptions() -> None:
    described = Descriptions({"singer": {"id": ColumnDescription("", "long " * 1000)}})
    text = render_ddl(_SCHEMA, None, described)
    assert len(text) < 1000
    assert "more characters" in text
    assert "-- e.g. 7" in render_ddl(_SCHEMA, {"order": {"a": [7]}})


@pytest.mark.parametrize("name", ["a", "Name", "_x1", "key", "date", "größe", "名", "a$b"])
def test_plain_names_stay_bare(name: str) -> None:
    assert quote_name(name) == name


@pytest.mark.parametrize(
    "name", ["a b", "1a", "a-b", "a.b", "", "$a", "order", "Select", "a;b", "a\nb", "%x"]
)
def test_other_names_are_quoted(name: str) -> None:
    assert quote_name(name) == f'"{name}"'


def test_quotes_are_doubled() -> None:
    assert quote_name('a"b') == '"a""b"'


@pytest.mark.parametrize("word", sorted(KEYWORDS))
def test_sqlite_reads_every_keyword_as_rendered(word: str) -> None:
    name = quote_name(word)
    connection = sqlite3.connect(":memory:")
    connection.execute(f"CREATE TABLE {name}({name} TEXT, b TEXT, PRIMARY KEY ({name}))")
    connection.execute(f"INSERT INTO {name} VALUES ('v', 'w')")
    for sql in (
        f"SELECT {name} FROM {name}",
        f"SELECT {name}.{name} FROM {name} WHERE {name} = 'v' AND {name} IS NOT NULL",
        f"SELECT x.{name} FROM {name} AS x JOIN {name} AS y ON x.{name} = y.{name}",
        f"SELECT max({name}) FROM {name} GROUP BY {name} ORDER BY {name} DESC",
        f"SELECT DISTINCT {name}, b FROM {name}",
    ):
        assert connection.execute(sql).fetchall()[0][0] == "v", sql
    connection.close()


def test_only_keywords_are_reserved() -> None:
    assert _RESERVED <= KEYWORDS


def test_sqlite_takes_the_text_and_means_the_same(build: Build) -> None:
    ddl = Schema(_SCHEMA.tables[:2]).ddl()
    assert open_database(build(ddl)).schema() == Schema(_SCHEMA.tables[:2])
