from __future__ import annotations

import pytest

from sqlmend.memory import Execution, ReflectionEntry
from sqlmend.retrievers import RecallQuery, failure_context
from sqlmend.retrievers._texts import (
    ENTRY_TEXTS,
    QUERY_TEXTS,
    dense_text,
    entry_texts,
    lexical_text,
    pool_fields,
    query_text,
)
from sqlmend.testing import repair_entry

ENTRY = repair_entry(
    question="QUESTION",
    schema="SCHEMA",
    before=Execution("BEFORE", "unknown_column", "no such column: x"),
    after=Execution("AFTER", "other_error", "DBMS"),
    delta="DELTA",
    failure_type="schema_linking",
)
SHARED = "QUESTION\nBEFORE\nunknown_column: no such column: x\nDELTA\nschema_linking\nother_error: DBMS"


def test_query() -> None:
    query = RecallQuery("QUESTION", "SQL", failure_context("mismatch", None), "result_mismatch")
    assert query_text(query) == "QUESTION\nSQL\nmismatch\nresult_mismatch"
    assert failure_context("syntax_error", 'near "x"') == 'syntax_error: near "x"'


def test_dense_text_ends_with_the_schema() -> None:
    assert dense_text(ENTRY) == f"{SHARED}\nSCHEMA"


def test_lexical_text_of_a_positive_has_the_corrected_sql() -> None:
    assert lexical_text(ENTRY) == f"{SHARED}\nAFTER"


def test_lexical_text_of_a_negative_has_not() -> None:
    assert lexical_text(repair_entry(**{**vars(ENTRY), "polarity": "negative"})) == SHARED


@pytest.mark.parametrize("fields", ENTRY_TEXTS["positive"])
def test_one_pool_of_both_polarities_is_searched_by_one_text(fields: str) -> None:
    other = repair_entry(**{**vars(ENTRY), "polarity": "negative"})
    found = pool_fields(("positive", "negative"), fields)
    positive, negative = (entry_texts(kind, found) for kind in ("positive", "negative"))
    assert positive.dense(ENTRY) == negative.dense(other) == entry_texts("positive", fields).dense(ENTRY)
    assert (
        positive.lexical(ENTRY) == negative.lexical(other) == entry_texts("positive", fields).lexical(ENTRY)
    )


@pytest.mark.parametrize("kind", ENTRY_TEXTS)
def test_a_pool_of_one_kind_is_searched_as_the_settings_say(kind: str) -> None:
    assert [pool_fields((kind,), fields) for fields in QUERY_TEXTS] == list(QUERY_TEXTS)


FAILURE = "BEFORE\nunknown_column: no such column: x\nDELTA\nschema_linking"


@pytest.mark.parametrize(
    ("fields", "query", "dense", "lexical"),
    [
        ("all", "Q\nSQL\nmismatch\ntype", f"{SHARED}\nSCHEMA", f"{SHARED}\nAFTER"),
        ("question", "Q", "QUESTION", "QUESTION"),
        ("failure", "SQL\nmismatch\ntype", FAILURE, FAILURE),
        ("no_schema", "Q\nSQL\nmismatch\ntype", SHARED, f"{SHARED}\nAFTER"),
    ],
)
def test_choices_of_fields(fields: str, query: str, dense: str, lexical: str) -> None:
    texts = entry_texts("positive", fields)
    assert QUERY_TEXTS[fields](RecallQuery("Q", "SQL", "mismatch", "type")) == query
    assert (texts.dense(ENTRY), texts.lexical(ENTRY)) == (dense, lexical)


def test_choices_of_a_reflection() -> None:
    entry = ReflectionEntry("1", "Q", "db", Execution("SQL", "mismatch"), "syntax", "TEXT")
    found = {
        fields: entry_texts("reflections", fields).dense(entry) for fields in ("all", "question", "failure")
    }
    assert found == {
        "all": "Q\nSQL\nmismatch\nsyntax\nTEXT",
        "question": "Q",
        "failure": "SQL\nmismatch\nsyntax",
    }
