"""Reading a reasoning path from an answer, and filling in what the answer left out, without a second call."""

from __future__ import annotations

import re
from dataclasses import replace

from sqlmend.databases import Schema, extract_sql
from sqlmend.modules._said import repeats_form, says_nothing
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

    A step that is empty, or says what the prompt's form says there, is missing, and so is one that names no
    table or no column of a query that has some.

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
    missing = {node for node, text in texts.items() if text is None}
    unnamed = {node for node in ("tables", "columns") if says_nothing(texts[node] or "")}
    if not missing | unnamed:
        return path, "whole"
    derived = derive(sql, schema)
    missing |= {node for node in unnamed if getattr(derived, node)}
    read_off = {node: getattr(derived, node) for node in missing - {"question"}}
    return replace(path, **read_off), "repaired" if missing else "whole"


def _step(completion: str, names: tuple[str, ...]) -> str | None:
    """The text of a step: tagged, or behind its label at the start of a line; None where nothing is said.

    A tag ends at the next tag, whatever its name.
    """
    tagged = [rf"<{name.replace(' ', '_')}\s*>(.*?)(?=</?\w+\s*>|\Z)" for name in names]
    labelled = [
        rf"^[\s#*\d.)-]*{name}[ \t]*\**[ \t]*:[ \t]*\**([^\n]*(?:\n[ \t]*[-*•][ \t]+[^\n:]*$)*)"
        for name in names
    ]
    for pattern in (*tagged, *labelled):
        for found in re.finditer(pattern, completion, re.IGNORECASE | re.DOTALL | re.MULTILINE):
            if (text := found[1].strip()) and not repeats_form(text, "reason"):
                return text
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
    plain = (re.sub(r"^[\s\-*•]*(?:\d+[.)]\s+)?", "", item).strip(" -*\t") for item in items)
    return tuple(item for item in plain if item)[:_MOST_ITEMS]
