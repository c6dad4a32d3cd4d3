"""What is refused, by which name, and what a pipeline looks like."""

from __future__ import annotations

import json
import pickle

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlmend.databases import statements
from sqlmend.databases.document import CONSTRUCTS, UnsupportedTranslation, compile_query
from sqlmend.errors import SqlmendError
from tests.databases.document.conftest import CASES

REFUSED = json.loads((CASES / "refused.json").read_text("utf-8"))
WRONG = json.loads((CASES / "wrong.json").read_text("utf-8"))
ANSWERS = json.loads((CASES / "answers.json").read_text("utf-8"))


@pytest.mark.parametrize(("sql", "constructs"), REFUSED.items())
def test_refused_by_name(sql, constructs, shop_schema):
    with pytest.raises(UnsupportedTranslation) as caught:
        compile_query(sql, shop_schema)
    refusal = caught.value
    assert (refusal.code, list(refusal.constructs)) == ("unsupported_translation", constructs)
    assert refusal.message.startswith(
        f"unsupported translation: {constructs[0]}: {CONSTRUCTS[constructs[0]]}"
    )


def test_every_construct_has_a_case():
    assert {name for names in REFUSED.values() for name in names} == set(CONSTRUCTS)


@pytest.mark.parametrize(("sql", "code"), WRONG.items())
def test_wrong_in_every_database(sql, code, shop_schema):
    with pytest.raises(SqlmendError) as caught:
        compile_query(sql, shop_schema)
    assert (type(caught.value), caught.value.code) == (SqlmendError, code)


def test_near_names(shop_schema):
    with pytest.raises(SqlmendError, match="did you mean city"):
        compile_query("SELECT citi FROM orders", shop_schema)
    with pytest.raises(SqlmendError, match="did you mean customers"):
        compile_query("SELECT id FROM customer", shop_schema)


def test_refusal_survives_a_process(shop_schema):
    with pytest.raises(UnsupportedTranslation) as caught:
        compile_query("SELECT DISTINCT city FROM orders", shop_schema)
    assert pickle.loads(pickle.dumps(caught.value)).constructs == ("distinct",)


def test_a_comparison_with_a_constant_is_a_plain_query(shop_schema):
    sql = "SELECT id FROM orders WHERE city = 'Bern' AND amount >= 5 ORDER BY amount DESC LIMIT 2"
    pipeline = compile_query(sql, shop_schema)
    assert (pipeline.collection, pipeline.columns) == ("orders", ("id",))
    assert list(pipeline.stages) == [
        {"$match": {"$and": [{"city": {"$eq": "Bern"}}, {"amount": {"$gte": 5}}]}},
        {"$sort": {"amount": -1}},
        {"$limit": 2},
        {"$project": {"_id": 0, "id": "$id"}},
    ]


def test_a_group(shop_schema):
    pipeline = compile_query("SELECT city, COUNT(*) AS n FROM orders GROUP BY city", shop_schema)
    assert list(pipeline.stages) == [
        {"$group": {"_id": {"k0": {"$ifNull": ["$city", None]}}, "a0": {"$sum": 1}}},
        {"$project": {"_id": 0, "k0": "$_id.k0", "a0": "$a0"}},
        {"$project": {"_id": 0, "city": "$k0", "n": "$a0"}},
    ]


def test_a_text_of_the_query_is_never_an_operator(shop_schema):
    pipeline = compile_query("SELECT '$id', id AS \"$where\" FROM orders WHERE note = '$$ROOT'", shop_schema)
    assert pipeline.stages[0] == {"$match": {"note": {"$eq": "$$ROOT"}}}
    assert pipeline.stages[-1] == {"$project": {"_id": 0, "_1": {"$literal": "$id"}, "_2": "$id"}}
    assert (pipeline.columns, pipeline.fields) == (("'$id'", "$where"), ("_1", "_2"))


TOKENS = """
    SELECT FROM WHERE GROUP BY HAVING ORDER LIMIT orders id city amount ( ) , * = <> AND OR NOT NULL IS IN
    LIKE BETWEEN 1 2.5 'x' COUNT SUM DISTINCT JOIN ON AS CASE WHEN END WITH UNION OVER ; -- " [ ] . ? - + /
"""
WORDS = st.sampled_from(TOKENS.split())


@settings(max_examples=300, deadline=None)
@given(st.lists(WORDS, max_size=25).map(" ".join) | st.text(max_size=40))
def test_any_text_is_compiled_or_refused(shop_schema, text):
    try:
        pipeline = compile_query(text, shop_schema)
    except SqlmendError as error:
        assert error.code
    else:
        assert len(statements(text)) == 1
        assert len(pipeline.columns) == len(set(pipeline.fields))


@pytest.mark.parametrize("digits", [20, 400, 5000])
def test_a_number_of_any_length_is_compiled_or_refused(shop_schema, digits):
    number = "1" * digits
    assert compile_query(f"SELECT id FROM orders WHERE id = {number}", shop_schema).stages[0] == {
        "$match": {"id": {"$eq": float(number)}}
    }
    for tail in (f"LIMIT {number}", f"LIMIT 1 OFFSET {number}", f"ORDER BY {number}"):
        with pytest.raises(SqlmendError) as caught:
            compile_query(f"SELECT id FROM orders {tail}", shop_schema)
        assert len(str(caught.value)) < 200


def test_the_largest_integers(shop_schema):
    sql = "SELECT id FROM orders WHERE id < 9223372036854775807 LIMIT 09223372036854775807"
    stages = compile_query(sql, shop_schema).stages
    assert {"$match": {"id": {"$lt": 2**63 - 1}}} in stages
    assert {"$limit": 2**63 - 1} in stages


def test_deep_nesting_is_refused(shop_schema):
    with pytest.raises(SqlmendError):
        compile_query(f"SELECT id FROM orders WHERE {'(' * 5000}1{')' * 5000}", shop_schema)
    with pytest.raises(SqlmendError):
        compile_query("SELECT id FROM orders WHERE " + "NOT " * 5000 + "1", shop_schema)


@pytest.mark.parametrize("sql", ANSWERS)
def test_twice_the_same(sql, shop_schema):
    assert compile_query(sql, shop_schema) == compile_query(sql, shop_schema)
