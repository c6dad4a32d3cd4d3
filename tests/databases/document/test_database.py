"""A document store behind the contract of a database."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlmend.databases import Database
from sqlmend.databases.document import DocumentDatabase


def test_is_a_database(document_shop, shop_schema):
    assert isinstance(document_shop, Database)
    assert document_shop.schema() is shop_schema


@pytest.mark.parametrize(
    ("sql", "status", "text"),
    [
        ("SELECT DISTINCT city FROM orders", "other_error", "unsupported translation: distinct: "),
        ("DELETE FROM orders", "denied", "unsupported translation: not_a_query: "),
        ("SELECT id FROM town", "unknown_table", "unknown collection town"),
        ("SELECT nope FROM orders", "unknown_column", "unknown field nope of collection orders"),
        ("SELEC 1", "syntax_error", "syntax error: "),
        ("", "no_statement", "there is no statement"),
        ("SELECT id FROM orders; SELECT id FROM orders", "multi_statement", "one statement at a time"),
        ("SELECT id FROM orders WHERE COUNT(*) > 1", "misuse_of_aggregate", "misuse of aggregate"),
        ("SELECT placed * 2 FROM orders", "type_mismatch", ""),
        ("SELECT id FROM orders WHERE city = '\ud800'", "syntax_error", "the text cannot be sent"),
    ],
)
def test_statuses(document_shop, sql, status, text):
    found = document_shop.execute(sql)
    assert (found.status, found.rows, found.columns) == (status, [], ())
    assert found.error.startswith(text)


@pytest.mark.parametrize(
    "sql", ["\0", "SELECT '\0'", "SELECT '\udce9' FROM orders", "'", '"', "/*", "(", "SELECT ?"]
)
def test_odd_texts_are_answered(document_shop, sql):
    assert document_shop.execute(sql).status


def test_limits(document_shop):
    assert document_shop.execute("SELECT id FROM orders", max_rows=9).status == "too_large"
    assert len(document_shop.execute("SELECT id FROM orders", max_rows=10).rows) == 10
    for limits in ({"timeout_s": 0}, {"timeout_s": -1}, {"max_rows": 0}):
        with pytest.raises(ValueError, match="must be positive"):
            document_shop.execute("SELECT id FROM orders", **limits)


def test_too_late(document_shop):
    assert document_shop.execute("SELECT id FROM orders", timeout_s=1e-9).status == "timeout"


def test_values_of_the_store_alone(store, shop_schema):
    from bson import Decimal128, Int64, ObjectId

    identity = ObjectId()
    store["kinds"]["customers"].insert_one(
        {"id": Int64(2**40), "name": identity, "city": True, "vip": Decimal128("1.5")}
    )
    kinds = DocumentDatabase(store["kinds"], shop_schema)
    (row,) = kinds.execute("SELECT * FROM customers").rows
    assert row == (2**40, str(identity), 1, "1.5")
    assert [type(value) for value in row] == [int, str, int, str]


COLUMNS = st.sampled_from(["amount", "quantity", "id", '"unit price"'])
NUMBERS = st.sampled_from(["0", "1", "-3.5", "12.5", "40", "99.9", "NULL"])
VALUES = (
    COLUMNS | NUMBERS | st.builds("({} {} {})".format, COLUMNS, st.sampled_from("+-*"), COLUMNS | NUMBERS)
)
TEXTS = st.sampled_from(["'Bern'", "'basel'", "'open'", "''", "NULL"])
LEAVES = st.one_of(
    st.builds("{} {} {}".format, VALUES, st.sampled_from(["=", "<>", "<", "<=", ">", ">="]), VALUES),
    st.builds(
        "{} {} {}".format, st.sampled_from(["city", "status"]), st.sampled_from(["=", "<>", "<", ">="]), TEXTS
    ),
    st.builds("{} IN ({}, {})".format, VALUES, VALUES, VALUES),
    st.builds("{} NOT IN ({}, {})".format, st.sampled_from(["city", "status"]), TEXTS, TEXTS),
    st.builds("{} BETWEEN {} AND {}".format, VALUES, VALUES, VALUES),
    st.builds("{} IS {}".format, st.sampled_from(["city", "amount", "status"]), st.just("NULL")),
    st.builds("note LIKE {}".format, st.sampled_from(["'a%'", "'%b'", "'_._'", "'%$%'", "NULL"])),
)
CONDITIONS = st.recursive(
    LEAVES,
    lambda inner: (
        st.builds("NOT ({})".format, inner)
        | st.builds("({} {} {})".format, inner, st.sampled_from(["AND", "OR"]), inner)
    ),
    max_leaves=5,
)


@settings(max_examples=150, deadline=None)
@given(CONDITIONS)
def test_conditions_hold_as_in_sqlite(sqlite_shop, document_shop, condition):
    sql = f"SELECT id FROM orders WHERE {condition} ORDER BY id"
    found = document_shop.execute(sql)
    assert (found.status, found.error) == ("ok", None)
    assert found.rows == sqlite_shop.execute(sql).rows


AGGREGATES = st.sampled_from(
    [
        "COUNT(*)",
        "COUNT(amount)",
        "SUM(quantity)",
        "MIN(amount)",
        "MAX(city)",
        "AVG(quantity)",
        "SUM(id * quantity)",
    ]
)
KEYS = st.lists(st.sampled_from(["city", "status", "customer_id"]), max_size=2, unique=True)


@settings(max_examples=60, deadline=None)
@given(
    KEYS,
    st.lists(AGGREGATES, min_size=1, max_size=3),
    CONDITIONS,
    st.none() | st.sampled_from(["> 0", "IS NULL"]),
)
def test_groups_are_as_in_sqlite(sqlite_shop, document_shop, keys, aggregates, condition, having):
    sql = f"SELECT {', '.join([*keys, *aggregates])} FROM orders WHERE {condition}"
    sql += f" GROUP BY {', '.join(keys)}" if keys else ""
    sql += f" HAVING {aggregates[0]} {having}" if having and "city" not in aggregates[0] else ""
    sql += f" ORDER BY {', '.join(keys)}" if keys else ""
    found = document_shop.execute(sql)
    assert (found.status, found.error) == ("ok", None)
    assert found.rows == sqlite_shop.execute(sql).rows
