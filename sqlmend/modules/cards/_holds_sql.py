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
# What people say after "SELECT" besides: what it is, and what it does.
_OF_SELECT = (
    rf"(?:{_ENGLISH}|(?:lists?|statements?|quer(?:y|ies)|subquer(?:y|ies)|parts?|keywords?|expressions?|columns?"
    r"|distinct|from|of|by|into|then|also|more|no|just|exactly|directly|may|might|cannot|could|would|should|do"
    r"|was|were|be|we|you|here|there|whose|inside|outside|within|around|between|under|above|below"
    r"|returns?|gives?|picks?|takes?|shows?|uses?|keeps?|drops?|removes?|repeats?|contains?|comes?|works?"
    r"|yields?|avoids?|matching)\b)"
)
_QUALIFIED = r"(?<![\w.])(?!(?:e\.g|i\.e)\b)[A-Za-z_]\w*\.[A-Za-z_]\w*"
# Functions of SQLite. A bracket at once behind one is its call, but for that of a plural, "date(s)".
_FUNCTIONS = "|".join(
    r"""
    abs a?(?:cos|sin|tan)h? atan2 avg bm25 cast ceil(?:ing)? changes char coalesce concat(?:_ws)? count
    cume_dist date(?:time)? degrees dense_rank exp first_value floor format glob group_concat hex
    highlight if ifnull iif instr json(?:b?_\w+)? jsonb julianday lag last_insert_rowid last_value lead
    length like(?:ly|lihood)? ln load_extension log(?:2|10)? lower ltrim match max median min mod
    nth_value ntile nullif octet_length percentile(?:_\w+)? percent_rank pi pow(?:er)? printf quote
    radians random(?:blob)? rank replace round row_number rtrim sign snippet soundex sqlite_\w+ sqrt
    strftime string_agg substr(?:ing)? subtype sum time timediff total(?:_changes)? trim trunc typeof
    unhex unicode unistr(?:_quote)? unixepoch unlikely upper zeroblob
    """.split()
)
_SQL = [
    re.compile(pattern, re.DOTALL | flags)
    for flags, pattern in (
        (0, r"\bSELECT\b.+\bFROM\b"),
        (0, rf"\bSELECT\s+(?>(?:DISTINCT\s+)?)(?!\(?(?i:{_OF_SELECT})(?![.(]\w))(?:[\w\"'`\[(*]|-\d)"),
        (re.IGNORECASE, rf"\bselect\s+(?!{_ENGLISH})\S{_ON}\bfrom\s+(?!{_ENGLISH})[\w\"`\[(]"),
        (re.IGNORECASE, rf"\b(?:where|having)\s+(?:not\s+)?{_NAME}\s*{_COMPARED}"),
        (re.IGNORECASE, rf"\bjoin\b{_ON}\bon\s+{_NAME}\s*="),
        (re.IGNORECASE, rf"\bjoin\b{_ON}\busing\s*\((?!{_ENGLISH})"),
        (0, r"\bUSING\s*\("),
        (re.IGNORECASE, rf"{_QUALIFIED}\s*(?!=>){_COMPARED}"),
        (0, rf"(?:(?<![-=])>|[<=])\s*{_QUALIFIED}"),
        (0, r"\|\|"),
        (0, rf"\b(?:GROUP|ORDER)\s+BY\s+(?!(?i:{_ENGLISH}))[\w\"`\[(]"),
        (
            re.IGNORECASE,
            rf"\b(?:group|order)\s+by\s+(?!{_ENGLISH})\S{_ON}\b(?:desc|asc|order\s+by|having)\b",
        ),
        (re.IGNORECASE, r"\blimit\s+\d"),
        (re.IGNORECASE, r"\bcase\s+when\b"),
        (re.IGNORECASE, r"\b(?:count|sum|avg|min|max|total|cast|substr|iif|coalesce|round)\s*\("),
        (re.IGNORECASE, r"\b(?:ifnull|nullif|instr|strftime|julianday|unixepoch|group_concat)\s*\("),
        (re.IGNORECASE, rf"\b(?:{_FUNCTIONS})\((?!e?s\))"),
        (0, r"\b[A-Z][A-Z_]+\("),
        (0, r"\bCREATE\s+(?:TABLE|VIEW|INDEX|TRIGGER)\b"),
    )
]
_QUOTED = re.compile(r"`([^`]*)`")
_PLAIN = re.compile(r"\w+(?:\.\w+)*|'[^']*'|-?\d+(?:\.\d+)?")


def holds_sql(words: str, schema: Schema | None = None) -> bool:
    """Whether the words hold a query, a piece of one, a call, or anything in back-quotes that is code.

    "Select the cities from the smaller table", "use a GROUP BY" and a comparison as hints write it
    (``area > 3``) are words; so are, in back-quotes too, a name, a value and keywords alone. A comparison of
    a qualified name (``city.area > 3``) is SQL.

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
