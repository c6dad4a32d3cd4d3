"""A database to ask."""

import sqlite3

import pytest

from sqlmend.databases import open_database


@pytest.fixture(scope="module")
def database(tmp_path_factory):
    path = tmp_path_factory.mktemp("db") / "geo.sqlite"
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE city (id INTEGER PRIMARY KEY, name TEXT)")
    connection.commit()
    connection.close()
    with open_database(path) as opened:
        yield opened
