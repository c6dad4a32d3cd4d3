"""Error texts without the values that they quote."""

from __future__ import annotations

import re

from sqlmend._text import cap
from sqlmend.databases._tokens import KEYWORDS

#: So many characters of an error text are kept.
DETAIL_LIMIT = 600
#: What a masked value becomes.
MASK = "***"

# Lines that repeat the statement or its values, PostgreSQL's and DuckDB's; a value may have line ends.
_VALUE_LINES = re.compile(
    r"^[ \t]*(?:DETAIL|CONTEXT|QUERY|STATEMENT|WHERE):"
    r"(?:.|\n(?![ \t]*(?:HINT|DETAIL|CONTEXT|QUERY|STATEMENT|WHERE|LOCATION|LINE \d+):))*"
    r"|^[ \t]*LINE \d+:.*$|^[ \t]*\^+[ \t]*$",
    re.MULTILINE,
)
# What DuckDB lists at length, and where pymongo repeats the values.
_ADDED = re.compile(r"\n\s*Candidate functions:.*|,? full error: \{.*", re.DOTALL)

# A quoted text behind one of these is the name of an object. Every other quoted text counts as a value.
_OBJECTS = (
    r"constraint|for\ key|relation|table|column|columns|view|schema|function|procedure|index|trigger|type"
    r"|enum|role|user|database|sequence|collection|field|domain|policy|macro|alias|name|argument\ types"
    r"|function\ call"
)
_LISTS = r"bindings|tables|entries|you\ mean"
_PLACES = r"in\ '(?:field\ list|[a-z]+\ clause|group\ statement)'"
_ONE = r"(?:\"[^\"\n]*\"|'[^'\n]*')"
_QUOTED = re.compile(
    rf"""
      (?P<name>\b(?:{_OBJECTS})\ {_ONE} | \b(?:{_LISTS}):?\ {_ONE}(?:,\ {_ONE})* | \b{_PLACES}
        | \.\"[^"\n]*\")
    | (?P<near>\bnear\ (?:'.*'(?=\ at\ line\ \d)|\"(?:[^"]|\"\")*\"))
    | (?<!\w)'(?:''|[^']|'(?=\w))*(?:'|\Z)
    | \"(?:\\.|\"\"|[^"\\])*(?:\"|\Z)
    | “[^”]*”? | «[^»]*»?
    | (?<=\)=)\([^\n]*?\)(?=\ |\.|$|\n)
    | (?<=contains\ )\(.*\)
    | (?<=dup\ key:\ )\{{.*
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)


def detail_of(text: str, *, keep: bool) -> str:
    """The error text as a note shows it: capped, and without quoted values and DETAIL lines.

    Names stay: what is quoted behind a word such as ``column`` or ``constraint`` is no value.

    Args:
        text: The machine's text.
        keep: Leave the text as it is, but for its length.
    """
    if keep:
        return cap(text.strip(), DETAIL_LIMIT)
    text = _VALUE_LINES.sub("", _ADDED.sub("", text[: 10 * DETAIL_LIMIT]))
    return cap(re.sub(r"\s*\n\s*", "\n", _QUOTED.sub(_masked, text)).strip(), DETAIL_LIMIT)


def _masked(found: re.Match[str]) -> str:
    whole = found[0]
    if found["name"]:
        return whole
    if found["near"]:
        token = whole[6:-1].lower()
        # A keyword or a sign is the engine's; any other word may be a piece of a literal.
        return (
            whole
            if token in KEYWORDS or not any(c.isalnum() or c in "'\"" for c in token)
            else f"near {MASK}"
        )
    return MASK
