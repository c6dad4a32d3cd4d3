"""Error texts: names stay, values go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.memory.notes._mask import DETAIL_LIMIT, MASK, detail_of
from tests.databases.texts import any_text
from tests.memory.notes.cases import FOLDER

CASES = json.loads((Path(FOLDER) / "masking.json").read_text("utf-8"))


@pytest.mark.parametrize("case", CASES, ids=[case["text"][:40] for case in CASES])
def test_masking(case):
    assert detail_of(case["text"], keep=False) == case["masked"]
    assert detail_of(case["text"], keep=True) == case["text"].strip()


def test_long_texts_are_capped_either_way():
    for keep in (False, True):
        assert len(detail_of("x" * 100_000, keep=keep)) < DETAIL_LIMIT + 40


@given(any_text)
def test_any_text_can_be_masked(text):
    assert isinstance(detail_of(text, keep=False), str)
    assert isinstance(detail_of(text, keep=False, names=False), str)


#: Messages of machines, each with a value in quotes that they do not escape.
_FORMS = (
    ('invalid input syntax for type integer: "{}"', "invalid input syntax for type integer: ***"),
    ('date/time field value out of range: "{}"', "date/time field value out of range: ***"),
    ("Duplicate entry '{}' for key 't.title'", "Duplicate entry *** for key 't.title'"),
    ("Incorrect integer value: '{}' for column 'age' at row 1",) * 2,
    (
        'Constraint Error: Duplicate key "{}" violates unique constraint.',
        "Constraint Error: Duplicate key *** violates unique constraint.",
    ),
    (
        'Conversion Error: Could not convert string "{}" to INT32',
        "Conversion Error: Could not convert string *** to INT32",
    ),
    ("ungültige Eingabesyntax für Typ integer: »{}«", "ungültige Eingabesyntax für Typ integer: ***"),
)


@given(st.sampled_from(_FORMS), st.text("aX '\"«».,:{}()5-\t", max_size=20))
def test_a_value_is_masked_to_its_end_whatever_it_quotes(form, value):
    text, masked = form
    expected = text.replace("'{}'", MASK) if text == masked else masked
    assert detail_of(text.format(value), keep=False) == expected


@given(st.text("aX .,:5-", min_size=1, max_size=20))
def test_what_a_rule_quotes_is_a_value_whatever_stands_before(value):
    for word in ("table", "column", "constraint", "user", "name", "for key"):
        text = f'the {word} "{value.strip() or "a"}" is taken'
        assert detail_of(text, keep=False, names=False) == f"the {word} *** is taken"


def test_a_value_that_is_cut_off_is_masked_to_the_end():
    text = 'rule: "a" b "' + "secret " * 1000 + '" is taken'
    assert detail_of(text, keep=False) == "rule: ***"


@pytest.mark.parametrize("piece", ["'a' ", '"', "»a« ", 'near "', "(a)=(", "contains (", "\n^", "a:  \n"])
def test_many_quotes_are_no_work(piece):
    assert len(detail_of(piece * 2000, keep=False)) < DETAIL_LIMIT + 40


@given(st.text("abc'\" \n=()", max_size=30))
def test_what_a_plain_value_quotes_is_gone(value):
    quoted = value.replace("'", "''")
    assert "Kx7" not in detail_of(f"bad value 'Kx7{quoted}' here", keep=False)
