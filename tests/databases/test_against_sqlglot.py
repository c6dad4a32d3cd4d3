"""Our own reading of SQL text against an independent parser's, on every reference of `mini`."""

import json
from importlib.resources import files

import pytest
import sqlglot

from sqlmend.databases import canonical, has_top_level, statements

REFERENCES = sorted(
    {
        json.loads(line)["SQL"]
        for line in files("sqlmend.eval")
        .joinpath("data", "mini", "questions.jsonl")
        .read_text("utf-8")
        .splitlines()
    }
)


@pytest.mark.parametrize("sql", REFERENCES)
def test_top_level_clauses_are_those_of_the_parse_tree(sql):
    (tree,) = sqlglot.parse(sql, read="sqlite")
    assert has_top_level(sql, "ORDER BY") == (tree.args.get("order") is not None)
    assert has_top_level(sql, "LIMIT") == (tree.args.get("limit") is not None)


def test_statements_are_counted_alike():
    text = ";;\n".join(REFERENCES)
    assert (
        len(statements(text))
        == len([tree for tree in sqlglot.parse(text, read="sqlite") if tree])
        == len(REFERENCES)
    )


@pytest.mark.parametrize("sql", REFERENCES)
def test_canonical_text_has_the_same_parse_tree(sql):
    (one,), (other,) = (sqlglot.parse(text.lower(), read="sqlite") for text in (sql, canonical(sql)))
    assert one == other
