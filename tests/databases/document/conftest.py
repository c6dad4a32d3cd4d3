"""One document store for all tests of a process, and the rows of the cases in it and in SQLite."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sqlmend.databases import Schema, SqliteDatabase
from sqlmend.databases.document import DocumentDatabase, embedded_store

CASES = Path(__file__).parents[2] / "cases" / "document"


@pytest.fixture(scope="session")
def sqlite_shop(tmp_path_factory: pytest.TempPathFactory) -> SqliteDatabase:
    path = tmp_path_factory.mktemp("document") / "shop.sqlite"
    connection = sqlite3.connect(path)
    connection.executescript((CASES / "shop.sql").read_text("utf-8"))
    connection.close()
    return SqliteDatabase(path)


@pytest.fixture(scope="session")
def shop_schema(sqlite_shop: SqliteDatabase) -> Schema:
    return sqlite_shop.schema()


@pytest.fixture(scope="session")
def store() -> Iterator[Any]:
    """A client of a MongoDB-compatible server (SecantusDB)."""
    with embedded_store() as client:
        yield client


@pytest.fixture(scope="session")
def document_shop(store: Any, sqlite_shop: SqliteDatabase, shop_schema: Schema) -> DocumentDatabase:
    """The same rows as documents."""
    for table in shop_schema.tables:
        if not table.view:
            found = sqlite_shop.execute(f"SELECT * FROM {table.name}")
            documents = [dict(zip(found.columns, row, strict=True)) for row in found.rows]
            store["shop"].create_collection(table.name)
            if documents:
                store["shop"][table.name].insert_many(documents)
    return DocumentDatabase(store["shop"], shop_schema)
