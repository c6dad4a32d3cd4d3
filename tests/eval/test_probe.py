from __future__ import annotations

import sqlite3

import pytest

from sqlmend.databases import Outcome
from sqlmend.eval._probe import limit_is_undetermined

SCRIPT = """
CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, n INT, g TEXT);
INSERT INTO t VALUES (1,'a',5,'x'),(2,'b',5,'x'),(3,'c',3,'y'),(4,'A',3,'z'),(5,NULL,1,'z');
"""

UNDETERMINED = [
    "SELECT name FROM t ORDER BY n DESC LIMIT 1",
    "SELECT name FROM t ORDER BY n DESC LIMIT 1;",
    "SELECT name FROM t ORDER BY n LIMIT 2",
    "SELECT name FROM t ORDER BY n DESC LIMIT 1 OFFSET 1",
    "SELECT name FROM t ORDER BY n DESC LIMIT 1, 1",
    "SELECT id FROM t ORDER BY g = 'x' LIMIT 1 OFFSET 1",
    "SELECT id FROM t LIMIT 2",
    "SELECT id FROM t LIMIT -1 OFFSET 2",
    "SELECT id FROM t LIMIT 1 + 1",
    "SELECT g, COUNT(*) FROM t GROUP BY g ORDER BY COUNT(*) DESC LIMIT 1",
    "SELECT g FROM t UNION SELECT name FROM t LIMIT 1",
    "SELECT n AS k, name FROM t ORDER BY k LIMIT 2",
    "SELECT DISTINCT g FROM t LIMIT 1",
    "WITH w AS (SELECT * FROM t) SELECT id FROM w -- LIMIT 9\nORDER BY n LIMIT 2",
    "SELECT name FROM t WHERE id IN (1, 4) ORDER BY name LIMIT 1",
    'SELECT "limit" FROM (SELECT name AS "limit", n FROM t) ORDER BY n LIMIT 2',
]
DETERMINED = [
    "SELECT name FROM t",
    "SELECT name FROM t ORDER BY n DESC",
    "SELECT name FROM t ORDER BY n DESC LIMIT 2",
    "SELECT name FROM t ORDER BY n, id LIMIT 2",
    "SELECT n FROM t ORDER BY n DESC LIMIT 1",
    "SELECT n FROM t WHERE n = 5 LIMIT 1",
    "SELECT name FROM t ORDER BY n LIMIT 1 OFFSET 0",
    "SELECT id FROM t LIMIT 5",
    "SELECT id FROM t LIMIT 100",
    "SELECT id FROM t LIMIT -1",
    "SELECT id FROM t LIMIT 0",
    "SELECT id FROM t ORDER BY n DESC LIMIT 100 OFFSET 2",
    "SELECT COUNT(*) FROM t LIMIT 1",
    "SELECT * FROM (SELECT id FROM t LIMIT 1)",
    "SELECT 'LIMIT 1' FROM t",
    "SELECT MAX(n) FROM t UNION SELECT 9 ORDER BY 1 LIMIT 1",
]


def verdict(sql: str) -> bool:
    connection = sqlite3.connect(":memory:")
    connection.executescript(SCRIPT)

    def run(text: str) -> Outcome:
        cursor = connection.execute(text)
        return Outcome("ok", tuple(column[0] for column in cursor.description), cursor.fetchall())

    return limit_is_undetermined(sql, run(sql), run)


@pytest.mark.parametrize("sql", UNDETERMINED)
def test_a_limit_that_cuts_between_rows_that_tie(sql: str) -> None:
    assert verdict(sql)


@pytest.mark.parametrize("sql", DETERMINED)
def test_a_result_that_the_data_determines(sql: str) -> None:
    assert not verdict(sql)


def test_a_probe_that_fails_tells_nothing() -> None:
    ran = Outcome("ok", ("id",), [(1,)])
    failed = Outcome("timeout", error="interrupted")
    sql = "SELECT id FROM t LIMIT 1"
    assert not limit_is_undetermined(sql, ran, lambda text: failed if "DESC" in text else ran)
