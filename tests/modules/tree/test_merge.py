"""Merging paths: a table of path sets and their trees, and what holds for all of them."""

import hypothesis.strategies as st
import pytest
from hypothesis import given, settings

from sqlmend.errors import InputError
from sqlmend.modules.tree import NODE_KINDS, Candidate, Path, Result, merge
from sqlmend.testing import HashEmbedder
from tests.modules.tree.paths import CASES, SCHEMA, SETS, candidates


def compact(nodes, depth=0):
    """One line for each chain of only children."""
    lines = []
    for node in nodes:
        chain = [node]
        while len(chain[-1].children) == 1:
            chain.append(chain[-1].children[0])
        ends = "" if chain[-1].children else f" [{' '.join(chain[-1].candidates)}]"
        lines.append("  " * depth + " | ".join(f"{n.kind[0]} {_text(n)}" for n in chain) + ends)
        lines += compact(chain[-1].children, depth + 1)
    return lines


def _text(node):
    return node.items[0] if node.kind == "sql" else node.text


def test_the_table_is_long_enough():
    assert len(CASES) >= 40
    assert len({case["name"] for case in CASES}) == len(CASES)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["name"])
def test_the_tree_of_a_path_set(case):
    tree = merge(candidates(case), SCHEMA)
    assert "\n".join(compact(tree.roots)) == case["tree"].rstrip("\n")
    check(tree, candidates(case))


def check(tree, merged):
    """What every tree promises."""
    assert tree.candidates == tuple(sorted({candidate.label for candidate in merged}))
    for candidate in merged:
        path = tree.path(candidate.label)
        assert [node.kind for node in path] == list(NODE_KINDS)
        assert path[-1] in tree.leaves
    diverging = {id(branch) for divergence in tree.divergences for branch in divergence.branches}
    for level in (tree.roots, *(node.children for node in tree.walk())):
        assert len({node.items for node in level}) == len(level), "siblings say different things"
        assert {id(node) in diverging for node in level} <= {len(level) > 1}
    for node in tree.walk():
        below = [label for child in node.children for label in child.candidates]
        assert not node.children or sorted(below) == list(node.candidates)


@settings(max_examples=80, deadline=None)
@given(SETS, st.randoms(use_true_random=False))
def test_the_order_of_candidates_changes_nothing(merged, random):
    tree = merge(merged, SCHEMA)
    check(tree, merged)
    shuffled = random.sample(merged, len(merged))
    again = merge(shuffled, SCHEMA)
    assert again == tree
    assert str(again) == str(tree)


@settings(max_examples=60, deadline=None)
@given(SETS, st.data())
def test_merging_a_path_twice_changes_nothing(merged, data):
    tree = merge(merged, SCHEMA)
    twice = data.draw(st.sampled_from(merged))
    assert merge([*merged, twice], SCHEMA) == tree
    other = merge([*merged, Candidate("other", twice.path)], SCHEMA)
    shapes = [[(node.kind, node.items) for node in found.walk()] for found in (tree, other)]
    assert shapes[0] == shapes[1], "under another label it adds no node"


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=30), min_size=5, max_size=5))
def test_any_text_merges(texts):
    question, table, column, value, sql = texts
    path = Path(question, (table,), (column,), (value,), (value, column), sql)
    merged = [Candidate("a", path), Candidate("b", Path())]
    check(merge(merged, SCHEMA), merged)
    check(merge(merged), merged)


def test_equal_labels_of_different_candidates_are_an_error():
    with pytest.raises(InputError, match="'a'"):
        merge([Candidate("a", Path(sql="SELECT 1")), Candidate("a", Path(sql="SELECT 2"))])


def test_no_candidates_are_an_empty_tree():
    tree = merge([])
    assert (tree.roots, tree.candidates, tree.divergences, str(tree)) == ((), (), (), "")


def test_wordings_of_another_meaning_branch_where_an_embedder_says_so():
    merged = [
        Candidate("a", Path(question="How many cities are there?", sql="SELECT 1")),
        Candidate("b", Path(question="How many cities are there", sql="SELECT 1")),
        Candidate("c", Path(question="Name all persons.", sql="SELECT 1")),
    ]
    embedder = HashEmbedder()
    tree = merge(merged, embedder=embedder, threshold=0.7)
    assert [root.candidates for root in tree.roots] == [("a", "b"), ("c",)]
    assert tree == merge(merged[::-1], embedder=embedder, threshold=0.7)
    assert tree.divergences[0].kind == "question"
    assert [root.candidates for root in merge(merged).roots] == [("a", "b", "c")]


def test_a_tree_prints_outcomes_and_divergences():
    merged = [
        Candidate("a", Path("Q", sql="SELECT 1"), Result("ok", rows=((1,),), count=1, signature="abcdef99")),
        Candidate("b", Path("Q", sql="SELECT x"), Result("unknown_column", "no such column: x")),
    ]
    tree = merge(merged)
    assert str(tree).splitlines()[-2:] == [
        "          sql: select 1  [a: 1 row abcdef]",
        "          sql: select x  [b: unknown_column]",
    ]
    assert [str(divergence) for divergence in tree.divergences] == ["sql: [a] select 1; [b] select x"]
    assert tree.signatures(tree.roots[0]) == {"abcdef99": ("a",), "unknown_column": ("b",)}
