"""Reading a reasoning path from an answer, and filling in what the answer left out, without a second call."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlmend.databases import Schema, extract_sql
from sqlmend.modules.contradictions import derive
from sqlmend.modules.tree import Path

_TAGS = {
    "question": ("rephrased", "question", "rephrased question"),
    "tables": ("tables", "table"),
    "columns": ("columns", "column"),
    "functions": ("functions", "function", "operations"),
    "values": ("conditions", "condition", "values", "condition values"),
}
_MOST_ITEMS = 40


def read_path(completion: str, schema: Schema) -> tuple[Path, str]:
    """The path of an answer, and how well it was written.

    Returns:
        The path, and ``whole`` (every step is there), ``repaired`` (steps were missing and are read off
        the query) or ``none`` (there is no query).
    """
    texts = {node: _step(completion, names) for node, names in _TAGS.items()}
    sql = extract_sql(completion) or ""
    path = Path(
        question=" ".join((texts["question"] or "").split()),
        tables=_split(texts["tables"], ","),
        columns=_split(texts["columns"], ","),
        functions=_split(texts["functions"], ","),
        values=_split(texts["values"], ";"),
        sql=sql,
    )
    if not sql:
        return path, "none"
    if all(text is not None for text in texts.values()):
        return path, "whole"
    derived = derive(sql, schema)
    missing = {
        node: getattr(derived, node) for node, text in texts.items() if text is None and node != "question"
    }
    return replace(path, **missing), "repaired"


def _step(completion: str, names: tuple[str, ...]) -> str | None:
    """The text of a step: tagged, or behind its label at the start of a line; None where it is not there."""
    for name in names:
        tag = name.replace(" ", "_")
        tagged = re.search(rf"<{tag}>(.*?)(?:</{tag}>|(?=<\w+>)|\Z)", completion, re.IGNORECASE | re.DOTALL)
        if tagged:
            return tagged[1].strip()
    for name in names:
        labelled = re.search(
            rf"^[\s#*\d.)-]*{name}\s*\**\s*:\s*\**(.*)$", completion, re.IGNORECASE | re.MULTILINE
        )
        if labelled:
            return labelled[1].strip()
    return None


def _split(text: str | None, separator: str) -> tuple[str, ...]:
    """The items of a step; separators in parentheses and quotes part nothing."""
    items, depth, quote = [""], 0, ""
    for character in text or "":
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"`":
            quote = character
        depth += (character == "(") - (character == ")" and depth > 0)
        if character in (separator, "\n") and not quote and not depth:
            items.append("")
        else:
            items[-1] += character
    return tuple(item.strip(" -*\t") for item in items if item.strip(" -*\t"))[:_MOST_ITEMS]
