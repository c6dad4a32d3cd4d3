"""What a report is made of: plain values that both renderers, HTML and Markdown, walk."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from sqlmend.eval.report._cells import Column

if TYPE_CHECKING:
    from sqlmend.modules.tree import Tree


@dataclass(frozen=True)
class Words:
    """A paragraph.

    Attributes:
        text: Its words; never read as markup.
        weight: ``plain``, ``lead`` (what a reader should take away) or ``note`` (small print).
    """

    text: str
    weight: str = "plain"


@dataclass(frozen=True)
class Table:
    """Columns and rows; a cell is formatted by its column.

    Attributes:
        title: What the rows are.
        columns: One for each cell of a row; the first names the row.
        rows: Cells: text, numbers, :class:`Estimate`, or None where there is nothing to say.
        note: What a reader has to know to read it.
    """

    title: str
    columns: Sequence[Column]
    rows: Sequence[Sequence[Any]]
    note: str = ""


@dataclass(frozen=True)
class Figure:
    """A chart with its words, and its numbers as a table.

    Attributes:
        title: What it shows.
        alt: The alternative text: what a reader would see.
        wide: Vega-Lite specification for screens and paper.
        narrow: The same for a phone.
        table: The numbers of the chart.
        note: How it is read.
    """

    title: str
    alt: str
    wide: Mapping[str, Any]
    narrow: Mapping[str, Any]
    table: Table
    note: str = ""


@dataclass(frozen=True)
class Facts:
    """Names and values.

    Attributes:
        title: What they are about.
        items: Name and value; a value is text or a list of texts.
    """

    title: str
    items: Sequence[tuple[str, Any]]


@dataclass(frozen=True)
class Part:
    """One labelled piece of a case: words, or code as it was written.

    Attributes:
        label: What it is.
        text: Its words.
        code: Code, as it was written.
        mark: A status shown beside the label; ``good`` decides how it looks.
        good: Whether the status is a success; None is neither.
        links: Lines below it: text, and the name of the case of this page that it is about, if any.
    """

    label: str
    text: str = ""
    code: str = ""
    mark: str = ""
    good: bool | None = None
    links: Sequence[tuple[str, str]] = ()


@dataclass(frozen=True)
class Drawing(Part):
    """A piece with a reasoning tree: drawn in HTML; its code is the tree as text.

    Attributes:
        tree: The tree.
        name: What the drawing is called for those who do not see it; no other one of the page is called so.
    """

    tree: Tree = field(kw_only=True)
    name: str = field(kw_only=True)


@dataclass(frozen=True)
class Side:
    """One column of a case: what one program did."""

    title: str
    parts: Sequence[Part]


@dataclass(frozen=True)
class Case:
    """One example, its sides beside each other.

    Attributes:
        title: Names it.
        words: A line under the title.
        tags: Facet to its values in this case, for the filters.
        sides: What is compared.
        name: Anchor in the page, where something links to it.
    """

    title: str
    words: str
    tags: Mapping[str, Sequence[str]]
    sides: Sequence[Side]
    name: str = ""


@dataclass(frozen=True)
class Cases:
    """Examples with filters: one choice for each facet that has several values, and a search in the text.

    Attributes:
        title: What they are.
        noun: What one is called, in the plural.
        facets: Facet (a key of the tags) to the filter's label.
        items: The examples.
        note: What was left out.
    """

    title: str
    noun: str
    facets: Mapping[str, str]
    items: Sequence[Case]
    note: str = ""

    def choices(self, facet: str) -> list[str]:
        """The values of a facet, sorted."""
        return sorted({value for case in self.items for value in case.tags.get(facet, ())})


@dataclass(frozen=True)
class Beside:
    """Two blocks beside each other where there is room, below each other where there is not."""

    first: Table
    second: Figure


Block = Words | Table | Figure | Facts | Cases | Beside


@dataclass(frozen=True)
class Section:
    """A heading and its blocks.

    Attributes:
        title: The heading.
        name: Anchor in the page.
        blocks: In order.
    """

    title: str
    name: str
    blocks: Sequence[Block] = field(default_factory=tuple)


@dataclass(frozen=True)
class Page:
    """A whole report.

    Attributes:
        title: The heading of the page.
        lead: The words under it: what was compared, on what.
        sections: In order; the first is the first screen.
        foot: The last line.
    """

    title: str
    lead: str
    sections: Sequence[Section]
    foot: str = ""
