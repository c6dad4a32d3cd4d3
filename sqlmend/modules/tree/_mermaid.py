"""A tree as Mermaid text, and back."""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterable

from sqlmend._text import cap
from sqlmend.modules.tree._path import NODE_KINDS
from sqlmend.modules.tree._tree import Node, Tree

_MOST_CHARACTERS = 400
_NODE = re.compile(r"""(\w+)\s*[\[({]+\s*"?(.*?)"?\s*[\])}]+\s*$""")
_LABEL = re.compile(r"^\s*(\w+)\s*:\s*(.*?)\s*(?:\[([^\]]*)\])?\s*$", re.DOTALL)
_ARROW = re.compile(r"\s*-+(?:\|[^|]*\|)?-*>\s*(?:\|[^|]*\|\s*)?")


def to_mermaid(tree: Tree) -> str:
    """The tree as a Mermaid flow chart; leaves name their candidates in square brackets.

    Node ids count in the order of the tree. Text is capped and escaped, so that none of it is read as
    Mermaid or HTML.
    """
    lines = ["graph TD"]
    numbers: dict[int, str] = {}

    def add(node: Node, parent: str) -> None:
        name = numbers.setdefault(len(numbers), f"n{len(numbers)}")
        ends = f" [{', '.join(node.candidates)}]" if not node.children else ""
        lines.append(f'  {name}["{_escaped(cap(f"{node.kind}: {node.text}", _MOST_CHARACTERS) + ends)}"]')
        if parent:
            lines.append(f"  {parent} --> {name}")
        for child in node.children:
            add(child, name)

    for root in tree.roots:
        add(root, "")
    return "\n".join(lines)


def parse_mermaid(text: str, candidates: Iterable[str]) -> Tree | None:
    """The tree that a model drew, None where it is not one of these candidates.

    Every candidate must stand at exactly one leaf, every leaf have one, and kinds descend in order.

    Args:
        text: Mermaid text, fenced or not: node lines ``id["kind: text"]`` and arrows ``id --> id``;
            a node may be declared within an arrow.
        candidates: The labels that must be in it.
    """
    labels: dict[str, str] = {}
    children: dict[str, list[str]] = {}
    below: set[str] = set()
    for line in text.splitlines():
        ends = [_declared(end.strip().rstrip(";"), labels) for end in _ARROW.split(line)]
        names = [name for name in ends if name]
        if len(names) < len(ends):
            continue
        for parent, child in itertools.pairwise(names):
            if child not in children.setdefault(parent, []):
                children[parent].append(child)
            below.add(child)
    roots = [_node(name, labels, children, ()) for name in labels if name not in below]
    wanted = sorted(candidates)
    nodes = [root for root in roots if root is not None]
    found = sorted(label for root in nodes for label in root.candidates)
    if not nodes or len(nodes) < len(roots) or found != wanted:
        return None
    return Tree(tuple(sorted(nodes, key=lambda node: node.items)))


def _declared(text: str, labels: dict[str, str]) -> str:
    """The id of a node, whose label is kept where it is declared here."""
    if match := _NODE.match(text):
        labels.setdefault(match[1], match[2])
        return match[1]
    return text if re.fullmatch(r"\w+", text) else ""


def _node(
    name: str, labels: dict[str, str], children: dict[str, list[str]], above: tuple[str, ...]
) -> Node | None:
    match = _LABEL.match(_unescaped(labels.get(name, "")))
    if not match or name in above or (kind := match[1].lower()) not in NODE_KINDS:
        return None
    if above and NODE_KINDS.index(kind) <= NODE_KINDS.index(_kind(labels, above[-1])):
        return None
    below = [_node(child, labels, children, (*above, name)) for child in children.get(name, [])]
    nodes = sorted((node for node in below if node is not None), key=lambda node: node.items)
    if len(nodes) < len(below):
        return None
    ends = tuple(sorted(set(re.findall(r"\w[\w/-]*", match[3] or "")))) if not nodes else ()
    if not nodes and (kind != "sql" or not ends):
        return None
    candidates = ends or tuple(sorted(label for node in nodes for label in node.candidates))
    return Node(kind, (match[2],), candidates, tuple(nodes))


def _kind(labels: dict[str, str], name: str) -> str:
    match = _LABEL.match(_unescaped(labels[name]))
    return match[1].lower() if match else ""


def _escaped(text: str) -> str:
    plain = "".join(c if unicodedata.category(c) not in ("Cc", "Cs", "Cf") else " " for c in text)
    text = " ".join(plain.split())
    for character, entity in (("#", "#35;"), ("&", "#38;"), ('"', "#quot;"), ("<", "#lt;"), (">", "#gt;")):
        text = text.replace(character, entity)
    return text


def _unescaped(text: str) -> str:
    for character, entity in (('"', "#quot;"), ("<", "#lt;"), (">", "#gt;"), ("&", "#38;"), ("#", "#35;")):
        text = text.replace(entity, character)
    return text
