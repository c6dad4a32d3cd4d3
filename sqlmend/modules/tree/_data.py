"""Trees as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmend.errors import InputError
from sqlmend.modules.tree._result import Result
from sqlmend.modules.tree._tree import Node, Tree


def tree_to_data(tree: Tree) -> dict[str, Any]:
    """A tree for JSON; of its results only what branches show: status, text, number of rows and signature."""
    return {
        "roots": [_node(root) for root in tree.roots],
        "outcomes": {
            label: {
                "status": result.status,
                "error": result.error,
                "rows": result.count,
                "signature": result.signature,
            }
            for label, result in tree.outcomes
        },
    }


def tree_from_data(data: Mapping[str, Any]) -> Tree:
    """The tree of such values.

    Raises:
        InputError: They are those of no tree.
    """
    try:
        outcomes = tuple(
            (label, Result(o["status"], o["error"], count=o["rows"], signature=o["signature"]))
            for label, o in sorted(data["outcomes"].items())
        )
        return Tree(tuple(map(_from_node, data["roots"])), outcomes)
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError("bad_tree", f"not a tree: {error!r}") from error


def _node(node: Node) -> dict[str, Any]:
    return {
        "kind": node.kind,
        "items": list(node.items),
        "candidates": list(node.candidates),
        "children": [_node(child) for child in node.children],
    }


def _from_node(data: Mapping[str, Any]) -> Node:
    return Node(
        data["kind"],
        tuple(data["items"]),
        tuple(data["candidates"]),
        tuple(_from_node(child) for child in data["children"]),
    )
