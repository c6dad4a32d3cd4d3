"""Merged reasoning: where the candidates of a question part, and what most of their results speak against."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend.eval.report._blocks import Case, Cases, Drawing, Part, Section, Side
from sqlmend.eval.report._compare._read import Results
from sqlmend.modules.tree import Tree, majority, tree_from_data

#: So many trees that examples name are drawn in a page of usual size.
MOST = 40


def trees(results: Results, named: Sequence[int]) -> Section | None:
    """The trees that the examples name, and the first one of every other program, each once.

    Args:
        results: The document.
        named: Numbers of the trees that the examples name.
    """
    rows = results.document["trees"]
    shown = list(named)
    seen = {(rows[number]["program"], rows[number]["same_group"]) for number in named}
    for number, row in enumerate(rows):
        if (key := (row["program"], row["same_group"])) not in seen:
            seen.add(key)
            shown.append(number)
    if not shown:
        return None
    facets = {"program": "Program", "database": "Database"}
    note = (
        "Each path from left to right is one candidate's reasoning. Dashed branches, marked pruned, lead to "
        "results that most candidates do not share. sqlmend tree draws the tree of any other question."
    )
    items = [_case(results, number) for number in shown]
    return Section("Merged reasoning", "trees", [Cases("Reasoning trees", "trees", facets, items, note)])


def tree_link(results: Results, number: int) -> Part:
    """Where an example names its tree."""
    tree = tree_from_data(results.document["trees"][number]["tree"])
    return Part("Merged reasoning", links=[(_outline(tree), _anchor(number))])


def _case(results: Results, number: int) -> Case:
    row = results.document["trees"][number]
    tree = tree_from_data(row["tree"])
    name = results.name(row["program"], row["same_group"])
    words = [name, row["db_id"], f"question {row['question_id']}", f"order {row['order']}", _outline(tree)]
    drawing = Drawing(
        "Tree and text", code=str(tree), tree=tree, name=f"Reasoning tree {number + 1}: {row['text']}"
    )
    tags = {"program": [name], "database": [row["db_id"]]}
    return Case(row["text"], " · ".join(words), tags, [Side("Merged", [drawing])], _anchor(number))


def _anchor(number: int) -> str:
    return f"tree-{number + 1}"


def _outline(tree: Tree) -> str:
    kept, places = majority(tree), len(tree.divergences)
    words = [
        f"{len(tree.candidates)} candidates",
        f"they part at {places} place{'' if places == 1 else 's'}" if places else "they do not part",
    ]
    if cut := [label for label in tree.candidates if label not in kept]:
        words.append(f"pruned: {', '.join(cut)}")
    return "; ".join(words)
