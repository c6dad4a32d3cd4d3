"""Whether words hold SQL: cards that are to show none must know which of a model's words are code."""

from __future__ import annotations

import re

from sqlmend.databases import Schema
from sqlmend.databases._tokens import KEYWORDS

# No end of a sentence; the point within "t.name" is none.
_ON = r"(?:(?![.;?!](?:\s|$)).)*?"
_NAME = r"(?:`[^`]*`|\"[^\"]*\"|\[[^\]]*\]|[\w.])+(?:\([^)]*\))?"
_COMPARED = r"(?:[=<>]|!=|(?:not\s+)?(?:like\s*['\"]|in\s*\(|between\s+\S+\s+and\b)|is\s+(?:not\s+)?null\b)"
# What people say after "select", "from" and "group by", and no query does.
_ENGLISH = (
    r"(?:the|an?|all|any|both|each|every|only|this|that|these|those|it|its|them|their|one|either|which|what"
    r"|whichever|when|where|if|as|so|is|are|can|must|should|needs?|has|does|will|and|or|not|to|for|in|on|at"
    r"|with|instead|rather|because|since|before|after|over|alone|together|clauses?)\b"
)
_SQL = [
    re.compile(pattern, re.DOTALL | flags)
    for flags, pattern in (
        (0, r"\bSELECT\b.+\bFROM\b"),
        (re.IGNORECASE, rf"\bselect\s+(?!{_ENGLISH})\S{_ON}\bfrom\s+(?!{_ENGLISH})[\w\"`\[(]"),
        (re.IGNORECASE, rf"\b(?:where|having)\s+(?:not\s+)?{_NAME}\s*{_COMPARED}"),
        (re.IGNORECASE, rf"\bjoin\b{_ON}\bon\s+{_NAME}\s*="),
        (0, rf"\b(?:GROUP|ORDER)\s+BY\s+(?!(?i:{_ENGLISH}))[\w\"`\[(]"),
        (
            re.IGNORECASE,
            rf"\b(?:group|order)\s+by\s+(?!{_ENGLISH})\S{_ON}\b(?:desc|asc|order\s+by|having)\b",
        ),
        (re.IGNORECASE, r"\blimit\s+\d"),
        (re.IGNORECASE, r"\bcase\s+when\b"),
        (re.IGNORECASE, r"\b(?:count|sum|avg|min|max|total|cast|substr|iif|coalesce|round)\s*\("),
        (0, r"\b[A-Z][A-Z_]+\("),
        (0, r"\bCREATE\s+(?:TABLE|VIEW|INDEX|TRIGGER)\b"),
    )
]
_QUOTED = re.compile(r"`([^`]*)`")
_PLAIN = re.compile(r"\w+(?:\.\w+)*|'[^']*'|-?\d+(?:\.\d+)?")


def holds_sql(words: str, schema: Schema | None = None) -> bool:
    """Whether the words hold a query, a clause of one, a call, or anything in back-quotes that is code.

    "Select the cities from the smaller table", "use a GROUP BY" and a bare comparison as hints write it
    (``area > 3``) are words. So are, in back-quotes too, a name, a value and keywords alone.

    Args:
        words: Any text.
        schema: Whose names may hold more than letters, such as ``Free Meal Count (K-12)``.
    """
    names = set() if schema is None else _names(schema)
    if "```" in words or any(not _is_name(quoted, names) for quoted in _QUOTED.findall(words)):
        return True
    # Without names: one may read like a call.
    return any(pattern.search(_QUOTED.sub("name", words)) for pattern in _SQL)


def _is_name(text: str, names: set[str]) -> bool:
    """Whether what stands between back-quotes is a name, a value or keywords, and no code."""
    known = text.strip(' "').lower()
    return (
        not known
        or _PLAIN.fullmatch(text.strip()) is not None
        or known in names
        or known.partition(".")[2].strip(' "') in names
        or all(word in KEYWORDS for word in known.split())
    )


def _names(schema: Schema) -> set[str]:
    """The tables and columns, in lower case."""
    tables = {table.name.lower() for table in schema.tables}
    return tables | {column.name.lower() for table in schema.tables for column in table.columns}
