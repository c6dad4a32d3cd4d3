"""The reasoning tree of a question, as a value."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from sqlmend.modules.tree._result import Result

_NOTHING = "(none)"


@dataclass(frozen=True)
class Node:
    """One step of reasoning and what follows from it.

    Attributes:
        kind: One of ``NODE_KINDS``.
        items: What it says, normalised and sorted; for ``question`` the wordings.
        candidates: Labels of the candidates whose paths lead through it, sorted.
        children: The next steps, each with other candidates, sorted by what they say.
    """

    kind: str
    items: tuple[str, ...]
    candidates: tuple[str, ...]
    children: tuple[Node, ...] = ()

    @property
    def text(self) -> str:
        """What it says, in one line."""
        return (" / " if self.kind == "question" else ", ").join(self.items) or _NOTHING

    def walk(self) -> Iterator[Node]:
        """The node and all below it, parents first."""
        yield self
        for child in self.children:
            yield from child.walk()


@dataclass(frozen=True)
class Divergence:
    """A place where candidates part.

    Attributes:
        above: The nodes that lead to it, from the root; empty where the questions themselves differ.
        branches: The nodes that follow, at least two.
    """

    above: tuple[Node, ...]
    branches: tuple[Node, ...]

    @property
    def kind(self) -> str:
        """The kind of the nodes that differ."""
        return self.branches[0].kind

    def __str__(self) -> str:
        shown = "; ".join(f"[{', '.join(branch.candidates)}] {branch.text}" for branch in self.branches)
        return f"{self.kind}: {shown}"


@dataclass(frozen=True)
class Tree:
    """The merged paths of a question's candidates.

    Equal trees are equal values, whatever the order in which their candidates were merged; its text is
    ``str(tree)``.

    Attributes:
        roots: The question nodes, mostly one.
        outcomes: (label, result) of each candidate that was run, sorted by label.
    """

    roots: tuple[Node, ...]
    outcomes: tuple[tuple[str, Result], ...] = ()

    @cached_property
    def results(self) -> Mapping[str, Result]:
        """Result by label."""
        return dict(self.outcomes)

    @property
    def candidates(self) -> tuple[str, ...]:
        """Labels of all candidates, sorted."""
        return tuple(sorted(label for root in self.roots for label in root.candidates))

    def walk(self) -> Iterator[Node]:
        """All nodes, parents first."""
        for root in self.roots:
            yield from root.walk()

    @cached_property
    def leaves(self) -> tuple[Node, ...]:
        """The SQL nodes, in the order of the tree."""
        return tuple(node for node in self.walk() if not node.children)

    def path(self, label: str) -> tuple[Node, ...]:
        """The nodes of a candidate from root to leaf; empty where no such candidate is in the tree."""
        found: list[Node] = []
        level = self.roots
        while node := next((node for node in level if label in node.candidates), None):
            found.append(node)
            level = node.children
        return tuple(found)

    @cached_property
    def divergences(self) -> tuple[Divergence, ...]:
        """All places where candidates part, those near the root first."""
        found: list[Divergence] = []
        level: list[tuple[tuple[Node, ...], tuple[Node, ...]]] = [((), self.roots)]
        while level:
            found += [Divergence(above, nodes) for above, nodes in level if len(nodes) > 1]
            level = [((*above, node), node.children) for above, nodes in level for node in nodes]
        return tuple(found)

    def signatures(self, node: Node) -> Mapping[str, tuple[str, ...]]:
        """The result signatures of a branch, with the candidates of each; failures under their status."""
        found: dict[str, list[str]] = {}
        for label in node.candidates:
            if label in self.results:
                result = self.results[label]
                found.setdefault(result.signature or result.status, []).append(label)
        return {key: tuple(labels) for key, labels in sorted(found.items())}

    def __str__(self) -> str:
        return "\n".join(line for root in self.roots for line in self._lines(root, 0))

    def _lines(self, node: Node, depth: int) -> Iterator[str]:
        end = f"  [{', '.join(map(self._shown, node.candidates))}]" if not node.children else ""
        yield f"{'  ' * depth}{node.kind}: {node.text}{end}"
        for child in node.children:
            yield from self._lines(child, depth + 1)

    def _shown(self, label: str) -> str:
        return f"{label}: {self.results[label]}" if label in self.results else label
