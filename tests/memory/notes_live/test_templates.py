"""What a note warns against is refused by the backend, and what it recommends runs there."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from typing import Any

import duckdb
import pytest

from sqlmend.databases import Column, Schema, Table
from sqlmend.databases.document import (
    CONSTRUCTS,
    DocumentDatabase,
    UnsupportedTranslation,
    compile_query,
    embedded_store,
)
from sqlmend.memory.notes._words import templates

CUSTOMERS = (("id", "INTEGER"), ("name", "TEXT"), ("city", "TEXT"))
ORDERS = (
    ("id", "INTEGER"),
    ("customer_id", "INTEGER"),
    ("city", "TEXT"),
    ("status", "TEXT"),
    ("amount", "REAL"),
)
SCHEMA = Schema(
    (
        *(
            Table(name, tuple(Column(column, kind) for column, kind in columns))
            for name, columns in (("customers", CUSTOMERS), ("orders", ORDERS))
        ),
        Table("open_orders", (Column("id", "INTEGER"),), view=True),
    )
)
DDL = (
    "CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT)",
    "CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER, city TEXT, status TEXT, amount REAL)",
)


def listed(value: Any) -> list[str]:
    return [value] if isinstance(value, str) else list(value or [])


def recommended(*backends: str) -> list[str]:
    """What the advice for these backends recommends."""
    classes = templates()["advice"].values()
    found = [by_backend[backend] for by_backend in classes for backend in backends if backend in by_backend]
    found += [special for special in templates()["texts"] if {*special["backends"]} & {*backends}]
    return sorted({sql for template in found for sql in listed(template.get("recommends"))})


CONSTRUCT_TEMPLATES = sorted(templates()["constructs"].items())
WARNED = [(name, sql) for name, template in CONSTRUCT_TEMPLATES for sql in listed(template.get("warns"))]
RECOMMENDED = [sql for _, template in CONSTRUCT_TEMPLATES for sql in listed(template.get("recommends"))]


@pytest.fixture(scope="module")
def store() -> Iterator[DocumentDatabase]:
    with embedded_store() as client:
        client["shop"]["orders"].insert_one(
            {"id": 1, "customer_id": 1, "city": "Lima", "status": "open", "amount": 5.0}
        )
        yield DocumentDatabase(client["shop"], SCHEMA)


def test_constructs_are_those_of_the_compiler():
    assert {name for name, _ in CONSTRUCT_TEMPLATES} == set(CONSTRUCTS)
    assert {"join", "distinct", "subquery", "set_operation", "window"} <= {name for name, _ in WARNED}
    assert all(template.get("warns") for name, template in CONSTRUCT_TEMPLATES if name != "other")


@pytest.mark.parametrize(("construct", "sql"), WARNED)
def test_what_is_warned_against_is_refused_by_that_name(construct, sql):
    with pytest.raises(UnsupportedTranslation) as caught:
        compile_query(sql, SCHEMA)
    assert construct in caught.value.constructs


@pytest.mark.parametrize("sql", RECOMMENDED)
def test_what_is_recommended_compiles_and_runs(sql, store):
    found = store.execute(sql)
    assert (found.status, found.error) == ("ok", None)


@pytest.mark.parametrize("sql", recommended("any", "sqlite"))
def test_recommended_runs_on_sqlite(sql):
    connection = sqlite3.connect(":memory:")
    connection.executescript(";".join(DDL))
    connection.execute(sql)
    connection.close()


@pytest.mark.parametrize("sql", recommended("any", "duckdb"))
def test_recommended_runs_on_duckdb(sql):
    connection = duckdb.connect()
    for statement in (*DDL, sql):
        connection.execute(statement)
    connection.close()


@pytest.mark.parametrize("sql", recommended("any", "postgres"))
def test_recommended_runs_on_postgres(sql, postgres_folder):
    import psycopg

    with psycopg.connect(host=postgres_folder, user="postgres", dbname="postgres") as session:
        for statement in (*DDL, sql):
            session.execute(statement)
        session.rollback()


@pytest.mark.parametrize("sql", recommended("any", "mysql"))
def test_recommended_is_mysql(sql):
    """No MySQL server is asked here: its dialect's parser is."""
    import sqlglot

    assert sqlglot.parse_one(sql, read="mysql", error_level=sqlglot.ErrorLevel.RAISE)
