"""Reading rule units from an answer, however it is laid out, without a second call."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from sqlmend._text import cap
from sqlmend.databases import Schema
from sqlmend.memory import RULE_TYPES, Rule
from sqlmend.modules._said import meant, says_nothing, unwrapped
from sqlmend.modules.rules import anchor_text, resolve_anchor

_FIELD_LIMIT = 400
_FIELDS = ("type", "anchor", "pattern", "condition", "correction")
_LABEL = r"(type|(?:schema[ _])?anchors?|pattern|condition|correction)"
_MARK = r"""[*_`"']*"""
# A label that begins a line, behind a bullet, a number or the rule's name.
_FIELD = re.compile(
    rf"^[\s\-*•\d.)#>|{{]*(?:{_MARK}rule\s*\d*\W+)?{_MARK}{_LABEL}({_MARK})\s*[:=]([*_]*)\s*(.*)$",
    re.IGNORECASE,
)
_INNER = re.compile(rf"(?<![\w.]){_MARK}{_LABEL}{_MARK}\s*:", re.IGNORECASE)
_SEPARATOR = re.compile(r"^(?:\W*rule\s*\d+\b.*|\W*\d*\W*)$", re.IGNORECASE)
# A line that begins like a sentence does not go on with the one before.
_SENTENCE = re.compile(r"[A-Z][a-z]*[,:]?\s")
_IN_ONE_LINE = 3
# What the tree says of a query behind it.
_RESULT = re.compile(r"\s*\[c\d+: [^\]]*\]")
_MOST_NESTED = 50
# What the kinds of contradictions are called: as a type of rule they say nothing.
_NO_TYPE = re.compile(r"\W*(?:structure|schema|question)\b", re.IGNORECASE)
_ARITHMETIC = re.compile(
    r"\b(?:cast|round|avg|sum|real|integer|average|total|percent\w*|divi[ds]\w+|multipl\w+)\b|\w\s*/\s*\w",
    re.IGNORECASE,
)
_SYNTAX = re.compile(
    r"\b(?:join\w*|group\s+by|order\s+by|having|distinct|limit|union|intersect|except|exists|not\s+in|subquer\w+"
    r"|nested|alias\w*)\b",
    re.IGNORECASE,
)


def read_rules(text: str, schema: Schema) -> Iterator[Rule]:
    """The rule units of an answer: blocks of labelled lines, lines with all labels, rows of a table, or JSON.

    A unit without a correction of its own is none, and neither is one whose type is unknown; a type that is
    missing is read off the correction. An anchor that the schema does not have stays as it was written, for
    the filter to see.
    """
    for block in list(_json_blocks(text)) or _blocks(text):
        said = {name: meant(block.get(name, ""), "extract") for name in _FIELDS if name != "type"}
        kind = _type(block.get("type", ""), said["correction"])
        if kind is None or not said["correction"]:
            continue
        pattern, condition, correction = (
            cap(_RESULT.sub("", said[name]), _FIELD_LIMIT) for name in ("pattern", "condition", "correction")
        )
        yield Rule(kind, pattern, condition, correction, _anchors(said["anchor"], schema))


def _type(said: str, correction: str) -> str | None:
    named = [name for name in RULE_TYPES if name and name in said.lower()]
    if len(named) == 1:
        return named[0]
    if not named and not says_nothing(said) and not _NO_TYPE.match(said):
        return None
    plain = re.sub(r"'(?:[^']|'')*'", "''", correction)
    if _ARITHMETIC.search(plain):
        return "arithmetic"
    return "syntax" if _SYNTAX.search(plain) else "domain"


def _anchors(text: str, schema: Schema) -> tuple[str, ...]:
    found: dict[str, None] = {}
    for part in re.split(r"[,;|]\s*|\s*(?:=|->)\s*", _spelled_out(text, schema)):
        whole = _named(part, schema)
        # A name may hold the word "and".
        for name in [part] if whole is not None else re.split(r"\s+and\s+", part):
            resolved = _named(name, schema)
            if resolved is not None:
                found[anchor_text(resolved)] = None
            elif meant(name, "extract"):
                found[unwrapped(name)] = None
    return tuple(found)


def _named(text: str, schema: Schema) -> tuple[str, str] | None:
    """What a text names, a remark in parentheses or the word `table` beside the name or not."""
    plain = unwrapped(text).strip("'")
    bare = re.sub(r"^(?:table|column)\s+|\s+table$", "", plain, flags=re.IGNORECASE)
    for name in (plain, bare, plain.partition("(")[0]):
        if (found := resolve_anchor(name, schema)) is not None:
            return found
    return None


def _spelled_out(text: str, schema: Schema) -> str:
    """``city (name, area)`` and ``city: name, area`` as ``city.name, city.area``."""

    def spelled(listed: re.Match[str]) -> str:
        parts = [part.strip() for part in (listed[2] or listed[3] or "").split(",")]
        known = all(resolve_anchor(f"{listed[1]}.{part}", schema) for part in parts)
        return ", ".join(f"{listed[1]}.{part}" for part in parts) if known else listed[0]

    for table in schema.tables:
        form = rf"(?<![\w.])({re.escape(table.name)})\s*(?:\(([^()]*)\)|:\s*([^:|;()]*))"
        text = re.sub(form, spelled, text, flags=re.IGNORECASE)
    return text


def _json_blocks(text: str) -> Iterator[dict[str, str]]:
    """The objects with a correction in a text."""
    decoder = json.JSONDecoder()
    start = text.find("{")
    while start >= 0:
        end = start + 1
        found: list[Any] = []
        try:
            value, stop = decoder.raw_decode(text, start)
        except (ValueError, RecursionError):
            pass
        else:
            end = stop
            found = [value] if len(re.findall(r"[\[{]", text[start:stop])) <= _MOST_NESTED else []
        while found:
            item = found.pop(0)
            if isinstance(item, list):
                found[:0] = item
            elif isinstance(item, dict):
                block = {_label(str(key)): _flat(held) for key, held in item.items()}
                if "correction" in block:
                    yield block
                else:
                    found[:0] = list(item.values())
        start = text.find("{", end)


def _flat(value: Any) -> str:
    if isinstance(value, dict):
        return ".".join(map(_flat, value.values()))
    if isinstance(value, list):
        return ", ".join(map(_flat, value))
    return "" if value is None else str(value)


def _label(written: str) -> str:
    return "anchor" if "anchor" in written.lower() else written.strip().lower()


def _blocks(text: str) -> Iterator[Mapping[str, str]]:
    """The labelled lines, parted where a label comes again or a new rule is announced.

    A line without a label goes on with the last one; a sentence behind a text, or behind an empty line, is
    a remark.
    """
    block: dict[str, str] = {}
    label, parted = "", False
    for line in _lines(text):
        plain = line.strip()
        if match := _FIELD.match(line):
            label = _label(match[1])
            ended = "correction" in block and (label == "type" or parted)
            if label in block or ended:
                yield block
                block = {}
            block[label] = _value(match[4], quoted='"' in match[2] or "'" in match[2])
            parted = False
        elif not plain:
            parted = True
        elif _SEPARATOR.match(line):
            yield block
            block, label = {}, ""
        elif not label or plain.startswith(("<", "```")):
            continue
        elif not block[label]:
            block[label] = _value(plain)
        elif parted or (line[0] == plain[0] and _SENTENCE.match(plain)):
            label = ""
        else:
            block[label] = f"{block[label]} {plain}"
    yield block


def _value(text: str, quoted: bool = False) -> str:
    """What stands behind a label; in JSON that is cut off, quotes and a comma are around it."""
    plain = text.strip().strip("|").strip()
    return plain.rstrip(",}] ").strip('"') if quoted else plain


def _lines(text: str) -> Iterator[str]:
    """The lines, those that hold a whole rule parted at its labels or at its cells."""
    for line in text.splitlines():
        starts = [match.start() for match in _INNER.finditer(line)]
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if len(starts) >= _IN_ONE_LINE:
            bounds = [*starts, len(line)]
            yield from _with_mark(line[: starts[0]])
            for start, end in pairwise(bounds):
                yield line[start:end].strip().rstrip("|;,").strip()
        elif len(cells) == len(_FIELDS) and cells[0].strip("* ").lower() in RULE_TYPES[:-1]:
            yield ""
            yield from (f"{name}: {cell}" for name, cell in zip(_FIELDS, cells, strict=True))
        else:
            yield line


def _with_mark(before: str) -> Iterator[str]:
    """What stands before the labels of a line, where it announces a rule."""
    if before.strip():
        yield before
