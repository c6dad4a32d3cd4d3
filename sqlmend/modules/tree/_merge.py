"""Merging paths into one tree, without a language model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from sqlmend.databases import Schema
from sqlmend.errors import InputError
from sqlmend.modules.tree._normal import Key, normalise, wording
from sqlmend.modules.tree._path import Candidate
from sqlmend.modules.tree._tree import Node, Tree

if TYPE_CHECKING:
    from sqlmend.retrievers import Embedder


def merge(
    candidates: Iterable[Candidate],
    schema: Schema | None = None,
    *,
    embedder: Embedder | None = None,
    threshold: float = 0.0,
) -> Tree:
    """The tree of the candidates: nodes that mean the same are shared, the rest branch.

    Rephrasings are one node that lists the wordings. With an embedder those branch that no chain of
    wordings links, each with a cosine to the next of ``threshold`` or more.

    Args:
        candidates: The candidates in any order; one that is given twice counts once.
        schema: What names are resolved with.
        embedder: Tells questions of other meaning apart; None: they are not.
        threshold: The cosine from which two wordings mean the same.

    Raises:
        InputError: Two different candidates have one label.
    """
    by_label: dict[str, Candidate] = {}
    for candidate in candidates:
        if by_label.setdefault(candidate.label, candidate) != candidate:
            raise InputError("bad_candidates", f"two candidates have the label {candidate.label!r}")
    known = [by_label[label] for label in sorted(by_label)]
    keys = {candidate.label: normalise(candidate.path, schema) for candidate in known}
    wordings = sorted({wording(candidate.path.question) for candidate in known})
    roots = []
    for cluster in _clusters(wordings, embedder, threshold):
        members = [candidate.label for candidate in known if wording(candidate.path.question) in cluster]
        items = tuple(text for text in _spelled(cluster) if text)
        roots.append(Node("question", items, tuple(members), _branches(members, keys, 0)))
    outcomes = tuple(
        (candidate.label, candidate.result) for candidate in known if candidate.result is not None
    )
    return Tree(tuple(sorted(roots, key=lambda node: node.items)), outcomes)


def _branches(labels: Sequence[str], keys: dict[str, tuple[Key, ...]], depth: int) -> tuple[Node, ...]:
    groups: dict[Key, list[str]] = {}
    for label in labels:
        if depth < len(keys[label]):
            groups.setdefault(keys[label][depth], []).append(label)
    return tuple(
        Node(kind, items, tuple(members), _branches(members, keys, depth + 1))
        for (kind, items), members in sorted(groups.items())
    )


def _spelled(cluster: Iterable[str]) -> list[str]:
    """The wordings, each once whatever its case."""
    return sorted({text.casefold(): text for text in sorted(cluster, reverse=True)}.values())


def _clusters(wordings: Sequence[str], embedder: Embedder | None, threshold: float) -> list[set[str]]:
    if embedder is None or len(wordings) < 2:
        return [set(wordings)] if wordings else []
    vectors = embedder.embed(list(wordings))
    near = vectors @ vectors.T >= threshold
    clusters: list[set[str]] = []
    left = set(range(len(wordings)))
    while left:
        reached, edge = set(), {min(left)}
        while edge:
            reached |= edge
            edge = {j for i in edge for j in left if near[i, j]} - reached
        left -= reached
        clusters.append({wordings[i] for i in reached})
    return clusters
