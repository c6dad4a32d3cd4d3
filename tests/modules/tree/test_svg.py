"""Trees as drawings: all candidates are on them, pruned branches are told apart without colour."""

import xml.etree.ElementTree as ET

import pytest
from hypothesis import given, settings

from sqlmend.errors import InputError
from sqlmend.modules.tree import (
    Candidate,
    Path,
    Result,
    majority,
    merge,
    to_html,
    to_svg,
    tree_from_data,
    tree_to_data,
)
from tests.modules.tree.paths import CASES, SCHEMA, SETS, candidates

NAMESPACE = "{http://www.w3.org/2000/svg}"


def made(*signatures):
    return [
        Candidate(
            f"c{n}",
            Path("Q <b>&", ("city",), sql=f"SELECT {signature or 'nope'}"),
            Result("ok", signature=signature, count=1) if signature else Result("unknown_column", "no"),
        )
        for n, signature in enumerate(signatures, 1)
    ]


def texts(svg):
    return [element.text or "" for element in ET.fromstring(svg).iter(f"{NAMESPACE}text")]


def test_all_candidates_are_on_it_and_pruned_branches_say_so():
    svg = to_svg(merge(made("b", "a", "a", "")), title="Tree of <q>")
    shown = texts(svg)
    assert {text.partition(":")[0] for text in shown} >= {"c1", "c2", "c3", "c4"}
    assert shown.count("sql (pruned)") == 2
    assert shown.count("sql") == 1
    groups = ET.fromstring(svg).findall(f"{NAMESPACE}g")
    assert sum(group.get("class") == "pruned" for group in groups) == 2
    assert ET.fromstring(svg).find(f"{NAMESPACE}title").text == "Tree of <q>"


def test_boxes_do_not_overlap():
    for case in CASES:
        rectangles = [
            [float(element.get(name)) for name in ("x", "y", "width", "height")]
            for element in ET.fromstring(to_svg(merge(candidates(case), SCHEMA))).iter(f"{NAMESPACE}rect")
        ]
        for n, (x, y, width, height) in enumerate(rectangles):
            for x2, y2, width2, height2 in rectangles[:n]:
                apart = x >= x2 + width2 or x2 >= x + width or y >= y2 + height2 or y2 >= y + height
                assert apart, case["name"]


@settings(max_examples=40, deadline=None)
@given(SETS)
def test_any_tree_is_a_drawing_and_a_page(merged):
    hostile = "\x00\ud800\x1b[31m</text><script>alert(1)</script>"
    tree = merge([*merged, Candidate("hostile", Path(hostile, (hostile,), sql=hostile))])
    svg = to_svg(tree, hostile)
    ET.fromstring(svg)
    page = to_html(tree, hostile)
    assert "<script" not in page
    assert "\x00" not in page
    page.encode()


def test_the_majority_of_results():
    assert majority(merge(made("a", "b", "b"))) == {"c2", "c3"}
    assert majority(merge(made("a", "b"))) == {"c1"}
    assert majority(merge(made("", ""))) == frozenset()
    assert majority(merge([Candidate("x", Path(sql="SELECT 1"))])) == {"x"}
    assert majority(merge([])) == frozenset()


def test_an_empty_tree_is_an_empty_drawing():
    assert "<rect" not in to_svg(merge([]))


def test_a_tree_survives_its_data():
    tree = merge(made("a", "b", ""))
    again = tree_from_data(tree_to_data(tree))
    assert again == tree
    assert tree_to_data(again) == tree_to_data(tree)


@pytest.mark.parametrize(
    "data", [{}, {"roots": 1, "outcomes": {}}, {"roots": [{}], "outcomes": {}}, {"roots": [], "outcomes": 1}]
)
def test_data_of_no_tree_is_an_error(data):
    with pytest.raises(InputError):
        tree_from_data(data)
