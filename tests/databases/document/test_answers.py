"""What is compiled answers as SQLite does, on the same rows."""

from __future__ import annotations

import json

import pytest

from tests.databases.document.conftest import CASES

ANSWERS = json.loads((CASES / "answers.json").read_text("utf-8"))


@pytest.mark.parametrize("sql", ANSWERS)
def test_answers_as_sqlite_does(sql, sqlite_shop, document_shop):
    expected = sqlite_shop.execute(sql)
    found = document_shop.execute(sql)
    assert (expected.status, found.status, found.error) == ("ok", "ok", None)
    assert _typed(found.rows) == _typed(expected.rows)
    assert len(found.columns) == len(expected.columns)


def _typed(rows):
    return [[(type(value), value) for value in row] for row in rows]


def test_missing_field_is_a_null(store, shop_schema, document_shop):
    from sqlmend.databases.document import DocumentDatabase

    store["holes"]["customers"].insert_many(
        [{"id": 1, "name": "Ann", "city": None}, {"id": 2, "name": "Bob"}]
    )
    holes = DocumentDatabase(store["holes"], shop_schema)
    assert holes.execute("SELECT id FROM customers WHERE city IS NULL ORDER BY id").rows == [(1,), (2,)]
    assert holes.execute("SELECT city, COUNT(*) FROM customers GROUP BY city").rows == [(None, 2)]
    assert holes.execute("SELECT id, city FROM customers WHERE NOT city = 'x'").rows == []
    assert holes.execute("SELECT COUNT(city), MIN(city) FROM customers").rows == [(0, None)]
