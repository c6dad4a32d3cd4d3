"""Trees as Mermaid text and back."""

import re

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from sqlmend.modules.tree import Candidate, Path, merge, parse_mermaid, to_mermaid
from tests.modules.tree.paths import CASES, SCHEMA, SETS, candidates

MERGED = [
    Candidate("c1", Path("Q", ("city",), (), ("COUNT",), (), "SELECT COUNT(*) FROM city")),
    Candidate("c2", Path("Q", ("city",), (), ("SUM",), (), "SELECT SUM(area) FROM city")),
]
DRAWN = """
graph TD
  A["question: Q"] --> B["tables: city"]
  B --> C["functions: COUNT"]
  C --> D["sql: count of cities [c1]"]
  B --> E["functions: SUM"]
  E --> F["sql: sum [c2]"]
"""


def test_the_text_of_a_tree():
    assert to_mermaid(merge(MERGED)).splitlines() == [
        "graph TD",
        '  n0["question: Q"]',
        '  n1["tables: city"]',
        "  n0 --> n1",
        '  n2["columns: (none)"]',
        "  n1 --> n2",
        '  n3["functions: COUNT"]',
        "  n2 --> n3",
        '  n4["values: (none)"]',
        "  n3 --> n4",
        '  n5["sql: select count ( * ) from city [c1]"]',
        "  n4 --> n5",
        '  n6["functions: SUM"]',
        "  n2 --> n6",
        '  n7["values: (none)"]',
        "  n6 --> n7",
        '  n8["sql: select sum ( area ) from city [c2]"]',
        "  n7 --> n8",
    ]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_a_tree_survives_the_way_through_mermaid(case):
    tree = merge(candidates(case), SCHEMA)
    again = parse_mermaid(to_mermaid(tree), tree.candidates)
    assert again is not None
    assert shapes(again.roots) == shapes(tree.roots)


def shapes(nodes):
    return sorted((node.kind, node.candidates, shapes(node.children)) for node in nodes)


def test_what_a_model_draws():
    tree = parse_mermaid(f"Here it is:\n```mermaid{DRAWN}```", ["c1", "c2"])
    assert tree is not None
    assert [d.kind for d in tree.divergences] == ["functions"]
    assert tree.path("c2")[-1].items == ("sum",)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("[c2]", "[c1]"),
        ("[c2]", ""),
        ("[c2]", "[c3]"),
        ("functions: SUM", "thoughts: SUM"),
        ("functions: SUM", "question: SUM"),
        ("E --> F", "E --> A"),
        ("graph TD", 'graph TD\n  X["tables: lonely"]'),
        ('F["sql: sum [c2]"]', "F"),
    ],
)
def test_a_drawing_of_something_else_is_none(old, new):
    assert old in DRAWN
    assert parse_mermaid(DRAWN.replace(old, new), ["c1", "c2"]) is None


@pytest.mark.parametrize("text", ["", "graph TD", "I cannot draw.", "A --> B"])
def test_no_drawing_is_none(text):
    assert parse_mermaid(text, ["c1"]) is None


@settings(max_examples=60, deadline=None)
@given(SETS, st.text())
def test_any_tree_has_lines_that_mermaid_reads(merged, noise):
    lines = to_mermaid(merge([*merged, Candidate("noise", Path(noise, sql=noise))])).splitlines()
    for line in lines[1:]:
        assert re.fullmatch(r'  n\d+(\["[^"<>&]*"\]| --> n\d+)', line)
    parse_mermaid(noise, ["a"])
