"""Shapes: literals leave no trace, everything else does."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sqlmend.databases import Column, Schema, Table, shape
from tests.databases.cases import table
from tests.databases.texts import literals, spelt, statements_of_words, texts

_SCHEMA = Schema((Table("city", (Column("id"), Column("Name"))),))


@pytest.mark.parametrize("case", table("shape"))
def test_shapes(case: dict[str, Any]) -> None:
    assert shape(case["sql"]) == case["shape"]
    assert shape(case["shape"]) == case["shape"]


def test_with_a_schema_a_column_is_no_literal() -> None:
    sql = 'SELECT id FROM city WHERE "NAME" = "Lima"'
    assert shape(sql, _SCHEMA) == 'select id from city where "name" = ?'
    assert shape(sql) == "select id from city where ? = ?"


@given(texts)
def test_any_text_has_a_shape(sql: str) -> None:
    assert shape(sql, _SCHEMA).count("\n") <= sql.count("\n")
    assert isinstance(shape(sql), str)


@given(st.data(), statements_of_words(literal=st.just("LITERAL")))
def test_literals_case_space_and_comments_do_not_count(data: st.DataObject, words: list[str]) -> None:
    def filled() -> list[str]:
        return [data.draw(literals) if word == "LITERAL" else word for word in words]

    assert shape(data.draw(spelt(filled()))) == shape(" ".join(filled()))


def test_real_statements_share_a_shape_only_when_they_differ_in_literals(shared_dir: Path) -> None:
    statements = _real_statements(shared_dir / "data")
    assert len(statements) >= 5000
    folded_by_shape, shapes_by_folded = defaultdict(set), defaultdict(set)
    for sql in statements:
        folded_by_shape[shape(sql)].add(_folded(sql))
        shapes_by_folded[_folded(sql)].add(shape(sql))
    assert [group for group in folded_by_shape.values() if len(group) > 1] == []
    assert [group for group in shapes_by_folded.values() if len(group) > 1] == []


def _real_statements(data: Path) -> set[str]:
    found = set()
    for name in ("spider/train.json", "spider/dev.json", "bird/dev.json", "bird/mini_dev.json"):
        for row in json.loads((data / name).read_text(encoding="utf-8")):
            found.add(row["query"] if "query" in row else row["SQL"])
    for path in sorted((data / "verdicts").glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            found.add(json.loads(line)["predicted_sql"])
    return found


def _folded(sql: str) -> str:
    """Literals, case, spacing, comments and the final ``;`` folded by plain substitution, for comparison."""
    sql = sql.lower().strip().rstrip("; \n")
    for pattern, replacement in (
        (r"'(?:[^']|'')*'", "?"),
        (r'([=<>]|\blike\b|\bbetween\b)\s*"[^"]*"', r"\1 ?"),
        (r'"[^"]*"\s*(?=[=<>!])', "? "),
        (r'\band\s*"[^"]*"(?!\s*(?:[.=<>!]|like|is|in|between|not))', "and ?"),
        (r"(?<![\w.])\d+(?:\.\d+)?", "?"),
        (r"([=<>(,]|\b(?:and|between|limit|then|else))\s*-\s*\?", r"\1 ?"),
        (r"\s+", ""),
        (r'in\((?:\?|"[^"]*")(?:,(?:\?|"[^"]*"))*\)', "in(?)"),
    ):
        sql = re.sub(pattern, replacement, sql)
    return sql
