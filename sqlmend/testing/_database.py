"""What every database must do, as tests to inherit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from sqlmend.databases import STATUSES, Database, Outcome

_SCRIPT = """
CREATE TABLE singer(id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER);
INSERT INTO singer VALUES (1, 'Ann', 31), (2, 'Bob', NULL), (3, 'Cleo', 22);
CREATE TABLE song(id INTEGER PRIMARY KEY, singer_id INTEGER REFERENCES singer(id), title TEXT);
INSERT INTO song VALUES (1, 1, 'One'), (2, 3, 'Two');
"""

_ODD = [
    "",
    " ",
    ";",
    "\0",
    "SELECT '\0'",
    "\ud800",
    "SELECT '\udce9'",
    "SELECT ?",
    "SELECT :x",
    "'",
    '"',
    "/*",
    "(",
]

_REFUSED = [
    "DELETE FROM singer",
    "UPDATE singer SET age = 0",
    "INSERT INTO singer VALUES (9, 'x', 1)",
    "DROP TABLE singer",
    "CREATE TABLE other(a INTEGER)",
    "CREATE TEMPORARY TABLE other(a INTEGER)",
    "ALTER TABLE singer ADD COLUMN other TEXT",
    "BEGIN",
    "EXPLAIN SELECT 1",
]

_FAILING = {
    "SELEC 1": "syntax_error",
    "SELECT * FROM town": "unknown_table",
    "SELECT nope FROM singer": "unknown_column",
    "SELECT id FROM singer JOIN song ON singer.id = song.singer_id": "ambiguous_column",
    "SELECT frobnicate(id) FROM singer": "unknown_function",
    "SELECT id FROM singer WHERE COUNT(*) > 1": "misuse_of_aggregate",
    "-- nothing": "no_statement",
    "SELECT 1; SELECT 2": "multi_statement",
}


class DatabaseContract:
    """Contract tests of a database (contract 1 of the design).

    Inherit them in a class that pytest collects, and override :meth:`make_database`.
    """

    def make_database(self, folder: Path, script: str) -> Database:
        """A database in the empty ``folder`` on which ``script`` (CREATE TABLE, INSERT) has been run."""
        raise NotImplementedError

    def test_is_a_database(self, tmp_path: Path) -> None:
        """It has the protocol's shape."""
        database = self.make_database(tmp_path, _SCRIPT)
        assert isinstance(database, Database)
        assert database.dialect

    def test_rows_are_tuples_in_order(self, tmp_path: Path) -> None:
        """Columns and rows come as asked for; two columns of one name stay two."""
        database = self.make_database(tmp_path, _SCRIPT)
        outcome = database.execute("SELECT id AS a, age AS a FROM singer ORDER BY id DESC")
        assert _complete(outcome).status == "ok"
        assert outcome.columns == ("a", "a")
        assert outcome.rows == [(3, 22), (2, None), (1, 31)]

    def test_no_text_raises(self, tmp_path: Path) -> None:
        """Whatever the text is, there is an outcome."""
        database = self.make_database(tmp_path, _SCRIPT)
        for sql in [*_ODD, *_REFUSED, *_FAILING]:
            assert _complete(database.execute(sql)).status != "ok", sql

    def test_failures_have_their_name(self, tmp_path: Path) -> None:
        """The status says what is wrong."""
        database = self.make_database(tmp_path, _SCRIPT)
        found = {sql: database.execute(sql).status for sql in _FAILING}
        assert found == _FAILING

    def test_nothing_but_queries_runs(self, tmp_path: Path) -> None:
        """What is no query is refused, and leaves rows, schema and files as they were."""
        database = self.make_database(tmp_path, _SCRIPT)
        rows, files = _content(database), _files(tmp_path)
        for sql in _REFUSED:
            assert database.execute(sql).status == "denied", sql
        assert _content(database) == rows
        assert _files(tmp_path) == files

    def test_comments_and_empty_statements_do_not_count(self, tmp_path: Path) -> None:
        """One real statement is one statement."""
        database = self.make_database(tmp_path, _SCRIPT)
        for sql in ["SELECT 1;;", "-- c\nSELECT 1", "SELECT 1; -- c", "/* ; */ SELECT 1;"]:
            assert database.execute(sql).rows == [(1,)], sql

    def test_stops_at_the_limits(self, tmp_path: Path) -> None:
        """Time and rows are bounded; the database goes on afterwards."""
        database = self.make_database(tmp_path, _SCRIPT)
        endless = "WITH RECURSIVE r(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM r) SELECT COUNT(*) FROM r"
        late = database.execute(endless, timeout_s=0.2)
        assert late.status == "timeout"
        assert late.elapsed_s < 2
        assert database.execute("SELECT id FROM singer", max_rows=2).status == "too_large"
        assert len(database.execute("SELECT id FROM singer", max_rows=3).rows) == 3

    def test_limits_are_positive(self, tmp_path: Path) -> None:
        """A limit that is not positive is the caller's mistake."""
        database = self.make_database(tmp_path, _SCRIPT)
        wrong: list[dict[str, Any]] = [
            {"timeout_s": 0},
            {"timeout_s": -1.0},
            {"max_rows": 0},
            {"max_rows": -1},
        ]
        for limits in wrong:
            try:
                database.execute("SELECT 1", **limits)
            except ValueError:
                continue
            raise AssertionError(f"{limits} was accepted")

    def test_schema_is_a_value(self, tmp_path: Path) -> None:
        """Equal schemas are equal, hash alike and have one fingerprint; another column is another schema."""
        folders = [tmp_path / name for name in "abc"]
        for folder in folders:
            folder.mkdir()
        one, same, other = (
            self.make_database(folder, script).schema()
            for folder, script in zip(
                folders, (_SCRIPT, _SCRIPT, _SCRIPT.replace("title", "name")), strict=True
            )
        )
        assert [table.name for table in one.tables] == ["singer", "song"]
        assert one == same
        assert hash(one) == hash(same)
        assert one.fingerprint == same.fingerprint != other.fingerprint
        assert "singer_id" in one.ddl()

    def test_closing_twice_is_fine(self, tmp_path: Path) -> None:
        """Nobody needs to know who closes it."""
        database = self.make_database(tmp_path, _SCRIPT)
        database.close()
        database.close()


def _complete(outcome: Outcome) -> Outcome:
    assert outcome.status in STATUSES
    assert (outcome.error is None) == (outcome.status == "ok")
    assert outcome.status == "ok" or (outcome.rows, outcome.columns) == ([], ())
    assert outcome.elapsed_s >= 0
    return outcome


def _content(database: Database) -> list[list[tuple[Any, ...]]]:
    return [database.execute(f"SELECT * FROM {table} ORDER BY id").rows for table in ("singer", "song")]


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
