"""What is read of a statement before anything is concluded from it."""

import pytest

from sqlmend.databases import Schema
from sqlmend.modules.contradictions._query import Query


@pytest.mark.parametrize(
    "sql", ["EXPLAIN SELECT 1", "EXPLAIN QUERY PLAN SELECT 1", "PRAGMA table_info(city)", "VACUUM", "", " ; "]
)
def test_what_is_no_query_is_not_read_and_nothing_is_said_of_it(sql, caplog):
    assert Query.parse(sql, Schema(())) is None
    assert caplog.records == []


@pytest.mark.parametrize(
    "sql", ["SELECT 1", "WITH a AS (SELECT 1 x) SELECT x FROM a;", "SELECT 1 UNION SELECT 2"]
)
def test_queries_are(sql):
    assert Query.parse(sql, Schema(())) is not None
