"""A page as Markdown: the same words and numbers, for a terminal, a diff or an issue."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from sqlmend._text import for_terminal
from sqlmend.eval.report._blocks import Beside, Block, Case, Cases, Facts, Figure, Page, Part, Table, Words

_LONGEST = 20_000  # of a text in the page
_SPECIAL = re.compile(r"([\\`*_\[\]<>|&~#]|:(?=//))")
_START = re.compile(r"^(\d*)([-+=.)])")


def render_markdown(page: Page) -> str:
    """The page as Markdown; figures become their words and their tables."""
    parts = [f"# {inline(page.title)}", inline(page.lead)]
    for section in page.sections:
        parts.append(f"## {inline(section.title)}")
        for block in section.blocks:
            parts.extend(_block(block))
    parts.append(inline(page.foot))
    return "\n\n".join(part for part in parts if part) + "\n"


def inline(text: str) -> str:
    """Text as text: one line, no character of it is read as markup."""
    flat = " ".join(for_terminal(text, _LONGEST).split())
    return _START.sub(r"\1\\\2", _SPECIAL.sub(r"\\\1", flat))


def fenced(text: str) -> str:
    """Text as a block of code that nothing in it can close."""
    shown = for_terminal(text, _LONGEST)
    longest = max(map(len, re.findall("`+", shown)), default=0)
    fence = "`" * max(3, longest + 1)
    return f"{fence}\n{shown}\n{fence}"


def _block(block: Block) -> Iterator[str]:
    match block:
        case Words():
            yield f"**{inline(block.text)}**" if block.weight == "lead" else inline(block.text)
        case Table():
            yield f"### {inline(block.title)}"
            yield _table(block)
            yield inline(block.note)
        case Figure():
            yield f"### {inline(block.title)}"
            yield inline(block.alt)
            yield _table(block.table)
            yield inline(block.table.note)
        case Facts():
            yield f"### {inline(block.title)}"
            yield "\n".join(_fact(name, value) for name, value in block.items)
        case Beside():
            yield from _block(block.first)
            yield from _block(block.second)
        case Cases():
            yield f"### {inline(block.title)}"
            yield inline(block.note)
            for case in block.items:
                yield from _case(case)


def _table(table: Table) -> str:
    if not table.rows:
        return "(none)"
    heads = [" ".join(filter(None, (column.label, column.hint))) for column in table.columns]
    lines = [_row(map(inline, heads))]
    lines.append(_row("---:" if column.is_number else "---" for column in table.columns))
    for row in table.rows:
        lines.append(_row(inline(column.show(cell)) for column, cell in zip(table.columns, row, strict=True)))
    return "\n".join(lines)


def _row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _fact(name: str, value: Any) -> str:
    values = [value] if isinstance(value, str) else list(value)
    if len(values) == 1:
        return f"- {inline(name)}: {inline(values[0])}"
    return "\n".join([f"- {inline(name)}:", *(f"  - {inline(item)}" for item in values)])


def _case(case: Case) -> Iterator[str]:
    yield f"#### {inline(case.title)}"
    yield inline(case.words)
    for side in case.sides:
        yield f"**{inline(side.title)}**"
        for part in side.parts:
            yield from _part(part)


def _part(part: Part) -> Iterator[str]:
    yield inline(f"{part.label}: {part.mark}" if part.mark else part.label)
    if part.code:
        yield fenced(part.code)
    yield inline(part.text)
    if part.links:
        yield "\n".join(f"- {inline(text)}" for text, _ in part.links)
