"""Error texts: names stay, values go."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.memory.notes._mask import DETAIL_LIMIT, detail_of
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


@given(st.text("abc'\" \n=()", max_size=30))
def test_what_a_plain_value_quotes_is_gone(value):
    quoted = value.replace("'", "''")
    assert "Kx7" not in detail_of(f"bad value 'Kx7{quoted}' here", keep=False)
