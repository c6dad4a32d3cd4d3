"""Which branches of a tree the candidates' results speak for."""

from __future__ import annotations

from sqlmend.modules.tree._tree import Node, Tree


def majority(tree: Tree) -> frozenset[str]:
    """Labels of the candidates with the result that most of them have; of equal groups the earliest one's.

    All where none was run, none where none of those runs.
    """
    if not tree.outcomes:
        return frozenset(tree.candidates)
    groups: dict[str, list[str]] = {}
    for label, result in tree.outcomes:
        if result.ok:
            groups.setdefault(result.signature, []).append(label)
    largest: list[str] = max(groups.values(), key=len) if groups else []
    return frozenset(largest)


def pruned(node: Node, kept: frozenset[str]) -> bool:
    """Whether a branch leads to none of the candidates that are kept."""
    return not kept.intersection(node.candidates)
