"""The fingerprint of a schema: what changes it and what does not."""

from __future__ import annotations

import dataclasses
import sqlite3
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.databases import Column, ForeignKey, Schema, Table, open_database
from tests.databases.conftest import Build

_NAMES = st.text("abAß1_", min_size=1, max_size=4)
_TYPES = st.sampled_from(["", "INTEGER", "TEXT", "REAL", "VARCHAR(20)", "odd type"])
_COLUMNS = st.lists(
    st.builds(Column, _NAMES, _TYPES), min_size=1, max_size=4, unique_by=lambda column: _fold(column.name)
)
_TABLES = st.lists(
    st.builds(Table, _NAMES, _COLUMNS.map(tuple)),
    min_size=1,
    max_size=4,
    unique_by=lambda table: _fold(table.name),
)


def _fold(name: str) -> str:
    return " ".join(name.split()).casefold()


@given(_TABLES, st.randoms())
def test_the_order_of_listing_does_not_count(tables: list[Table], random: object) -> None:
    shuffled = list(tables)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    assert Schema(tuple(tables)).fingerprint == Schema(tuple(shuffled)).fingerprint


@given(_TABLES)
def test_case_and_space_keys_and_views_do_not_count(tables: list[Table]) -> None:
    same = [
        Table(
            f" {table.name}",
            tuple(
                Column(f"{column.name} ", f" {column.type.lower()}", not_null=True, primary_key=True)
                for column in table.columns
            ),
            (ForeignKey(("a",), "b", ("c",)),),
        )
        for table in tables
    ]
    view = Table("a view", (Column("x"),), view=True)
    assert Schema((*same, view)).fingerprint == Schema(tuple(tables)).fingerprint


@given(_TABLES, st.data())
def test_a_changed_column_counts(tables: list[Table], data: st.DataObject) -> None:
    before = Schema(tuple(tables))
    number = data.draw(st.integers(0, len(tables) - 1))
    columns = list(tables[number].columns)
    place = data.draw(st.integers(0, len(columns) - 1))
    column = columns[place]
    change = data.draw(st.sampled_from(["add", "insert", "drop", "rename", "retype", "move"]))
    if change == "add":
        columns.append(Column("a new one"))
    elif change == "insert":
        columns.insert(place, Column("a new one"))
    elif change == "drop":
        del columns[place]
    elif change == "rename":
        columns[place] = dataclasses.replace(column, name="a new one")
    elif change == "retype":
        columns[place] = dataclasses.replace(column, type="another type")
    else:
        columns = [*columns[1:], columns[0]]
    after = Schema(
        (*tables[:number], dataclasses.replace(tables[number], columns=tuple(columns)), *tables[number + 1 :])
    )
    assert (after.fingerprint == before.fingerprint) == (tuple(columns) == tables[number].columns)


_BEFORE = "CREATE TABLE t(a INT, b TEXT); CREATE TABLE u(c); INSERT INTO t VALUES (1, 'x');"


@pytest.mark.parametrize(
    "script",
    [
        "INSERT INTO t VALUES (2, 'y')",
        "DELETE FROM t",
        "CREATE INDEX i ON t(a)",
        "CREATE VIEW v AS SELECT * FROM t",
        "DROP TABLE t; CREATE TABLE t(a INT, b TEXT)",
        "DROP TABLE t; CREATE TABLE T(A int NOT NULL, 'B' text PRIMARY KEY REFERENCES u(c))",
        "CREATE TRIGGER g AFTER INSERT ON t BEGIN SELECT 1; END",
    ],
)
def test_rows_indexes_keys_and_views_leave_it(build: Build, script: str) -> None:
    before, after = _changed(build(_BEFORE), script)
    assert before == after


@pytest.mark.parametrize(
    "script",
    [
        "ALTER TABLE t ADD COLUMN d",
        "ALTER TABLE t DROP COLUMN b",
        "ALTER TABLE t RENAME COLUMN b TO d",
        "ALTER TABLE t RENAME TO w",
        "DROP TABLE t; CREATE TABLE t(a REAL, b TEXT)",
        "DROP TABLE t; CREATE TABLE t(b TEXT, a INT)",
        "DROP TABLE u",
        "CREATE TABLE w(a)",
    ],
)
def test_columns_and_tables_change_it(build: Build, script: str) -> None:
    path = build(_BEFORE)
    before, after = _changed(path, script)
    assert before != after
    assert after.startswith("sha256:")
    assert len(after) == 71


def _changed(path: Path, script: str) -> tuple[str, str]:
    before = open_database(path).schema().fingerprint
    connection = sqlite3.connect(path)
    connection.executescript(script)
    connection.close()
    return before, open_database(path).schema().fingerprint


def test_it_is_a_hashable_value() -> None:
    one, same = (Schema((Table("t", (Column("a", "INT"),)),)) for _ in range(2))
    assert one == same
    assert {one: 1}[same] == 1
    assert one.fingerprint == same.fingerprint
    assert hash(one) == hash(same)
