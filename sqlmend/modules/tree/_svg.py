"""A tree as a drawing: SVG alone, or a page that needs nothing else."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from html import escape

from sqlmend._text import cap
from sqlmend.modules.tree._majority import majority, pruned
from sqlmend.modules.tree._tree import Node, Tree

_WIDTH, _LEAF_WIDTH = 210, 380
_GAP, _ROW_GAP, _MARGIN = 36, 14, 12
_LINE, _PADDING = 16, 8
_CHARACTER = 7.2  # width of one in the fixed font of 12 px
_MOST_LINES = 8

STYLE = """
.tree text { font: 12px ui-monospace, monospace; fill: currentColor; }
.tree .kind { font-weight: bold; }
.tree rect { fill: none; stroke: currentColor; stroke-width: 1.5; }
.tree path { fill: none; stroke: currentColor; stroke-width: 1.2; }
.tree .pruned rect, .tree path.pruned { stroke-dasharray: 5 4; stroke-width: 1; }
""".strip()


@dataclass
class _Box:
    """A node with its place and its lines of text."""

    node: Node
    lines: list[str]
    left: float
    width: float
    top: float = 0.0
    children: list[_Box] = field(default_factory=list)

    @property
    def height(self) -> float:
        return len(self.lines) * _LINE + 2 * _PADDING

    @property
    def middle(self) -> float:
        return self.top + self.height / 2

    def walk(self) -> Iterator[_Box]:
        yield self
        for child in self.children:
            yield from child.walk()


def to_svg(tree: Tree, title: str = "Reasoning tree") -> str:
    """The tree as SVG text: steps from left to right, one leaf for each query.

    Branches that the majority of results speaks against are dashed and say ``pruned``. Text is escaped;
    colours are those of the page. ``STYLE`` belongs to the page that holds the drawing.

    Args:
        tree: The tree.
        title: What the drawing is called for those who do not see it.
    """
    kept = majority(tree)
    boxes = [_box(root, tree, kept, _MARGIN) for root in tree.roots]
    bottom = float(_MARGIN)
    for box in boxes:
        bottom = _place(box, bottom)
    every = [item for box in boxes for item in box.walk()]
    width = max((box.left + box.width for box in every), default=0) + _MARGIN
    shapes = "".join(_shape(box, kept) for box in every)
    described = f"{len(tree.candidates)} candidates, {len(tree.divergences)} places where they part"
    return (
        f'<svg class="tree" xmlns="http://www.w3.org/2000/svg" role="img" width="{width:.0f}" '
        f'height="{bottom:.0f}" viewBox="0 0 {width:.0f} {bottom:.0f}">'
        f"<title>{_escaped(title)}</title><desc>{described}</desc>{shapes}</svg>"
    )


def to_html(tree: Tree, title: str) -> str:
    """A page with the drawing, and the tree as text below it.

    Args:
        tree: The tree.
        title: The page's title and heading.
    """
    heading = _escaped(title)
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width">\n'
        f"<title>{heading}</title>\n<style>\n:root {{ color-scheme: light dark; }}\n"
        "body { font-family: system-ui, sans-serif; margin: 1rem; }\n"
        f".scroll, pre {{ overflow-x: auto; }}\n{STYLE}\n</style>\n</head>\n<body>\n<h1>{heading}</h1>\n"
        "<p>Each path from left to right is one candidate's reasoning. Dashed branches, marked pruned, "
        "lead to results that most candidates do not share.</p>\n"
        f'<div class="scroll" tabindex="0" role="region" aria-label="Drawing">{to_svg(tree, title)}</div>\n'
        f'<h2>As text</h2>\n<pre tabindex="0" role="region" aria-label="Text">'
        f"{_escaped(str(tree), lines=True)}</pre>\n</body>\n</html>\n"
    )


def _box(node: Node, tree: Tree, kept: frozenset[str], left: float) -> _Box:
    width = _WIDTH if node.children else _LEAF_WIDTH
    most = int((width - 2 * _PADDING) / _CHARACTER)
    marked = f"{node.kind} (pruned)" if pruned(node, kept) else node.kind
    lines = [marked, *textwrap.wrap(_plain(node.text), most, max_lines=_MOST_LINES, placeholder=" ...")]
    if not node.children:
        for label in node.candidates:
            result = f"{label}: {tree.results[label]}" if label in tree.results else label
            lines.append(cap(result, most))
    children = [_box(child, tree, kept, left + width + _GAP) for child in node.children]
    return _Box(node, lines, left, width, children=children)


def _place(box: _Box, top: float) -> float:
    """Give a box and those below it their rows; the first row that is free below them."""
    bottom = top
    for child in box.children:
        bottom = _place(child, bottom)
    if box.children:
        middle = (box.children[0].middle + box.children[-1].middle) / 2
        box.top = max(top, middle - box.height / 2)
    else:
        box.top = top
    return max(bottom, box.top + box.height + _ROW_GAP)


def _shape(box: _Box, kept: frozenset[str]) -> str:
    mark = ' class="pruned"' if pruned(box.node, kept) else ""
    kind = ' class="kind"'
    texts = "".join(
        f'<text x="{box.left + _PADDING:.0f}" y="{box.top + _PADDING + (n + 0.75) * _LINE:.0f}"'
        f"{kind if n == 0 else ''}>{_escaped(line)}</text>"
        for n, line in enumerate(box.lines)
    )
    drawn = (
        f'<g{mark}><rect x="{box.left:.0f}" y="{box.top:.0f}" width="{box.width:.0f}" '
        f'height="{box.height:.0f}" rx="4"/>{texts}</g>'
    )
    return drawn + "".join(_link(box, child, kept) for child in box.children)


def _link(box: _Box, child: _Box, kept: frozenset[str]) -> str:
    mark = ' class="pruned"' if pruned(child.node, kept) else ""
    start, end = box.left + box.width, child.left
    bend = (start + end) / 2
    return (
        f'<path{mark} d="M{start:.0f} {box.middle:.1f} C{bend:.0f} {box.middle:.1f} '
        f'{bend:.0f} {child.middle:.1f} {end:.0f} {child.middle:.1f}"/>'
    )


def _plain(text: str) -> str:
    return " ".join(text.split())


def _escaped(text: str, *, lines: bool = False) -> str:
    """Text for XML, where control characters and lone surrogates have no place."""
    no_place = ("Cc", "Cs", "Cf", "Cn")
    return escape(
        "".join(
            c if (lines and c == "\n") or unicodedata.category(c) not in no_place else "\ufffd" for c in text
        )
    )
