"""Error texts without the values that they quote."""

from __future__ import annotations

import re

from sqlmend._text import cap
from sqlmend.databases._tokens import KEYWORDS
from sqlmend.memory.notes._quoted import end_of_value

#: So many characters of an error text are kept.
DETAIL_LIMIT = 600
#: What a masked value becomes.
MASK = "***"
_READ = 8 * DETAIL_LIMIT

# Fields of PostgreSQL's messages that repeat the statement or its values. A server and its drivers name them
# in their own language and put two spaces behind the name, French and Italian sometimes one. A value may have
# line ends, so that a field ends only at the next hint, the one field that is kept.
_FIELDS = (
    r"(?:DETAIL|CONTEXT|QUERY|STATEMENT|WHERE|DÉTAIL|CONTEXTE|REQUÊTE|INSTRUCTION|DETTAGLI|CONTESTO|ISTRUZIONE"
    r"|ΕΡΩΤΗΜΑ)\ ?:"
    r"|(?<=\n)(?!(?:HINT|ERROR|FATAL|WARNING)\ ?:)[^\W\d_][^\n:\"«»]{0,30}:\ {2}"
)
_LINES = "LINE|ZEILE|LIGNE|LÍNEA|LINHA|RIGA|RAD|LINIA|SATIR|ŘÁDKA|ΓΡΑΜΜΗ|СТРОКА|РЯДОК|ხაზი|行|줄"
_REPEATED = re.compile(
    rf"""
      ^[ \t]*(?:{_FIELDS})(?:.|\n(?![ \t]*HINT\ ?:))*
    | ^[ \t]*(?:(?:{_LINES})\ \d+\ ?:|第\d+行).*$
    | (?<=\n).*\n[ \t]*\^[-^ a-z]*$          # what a caret points into
    | ^[ \t]*\^[-^ a-z]*$
    """,
    re.MULTILINE | re.VERBOSE,
)
# What DuckDB lists at length, and where pymongo repeats the values.
_ADDED = re.compile(r"\n[ \t]*Candidate functions:.*|,? full error: \{.*", re.DOTALL)

# Forms of the machines' own messages in which a quoted text is the name of an object. Every other quoted text
# counts as a value: words such as user, role or name stand before values as well.
_OBJECTS = (
    r"constraint|for\ key|relation|table|columns?|view|schema|function|procedure|index|trigger|sequence|macro"
    r"|security\ policy|(?:column|table|with|index)\ name|named|for\ (?:type|enum|domain)"
    r"|unknown\ (?:database|collection|field)|duplicate\ alias|argument\ types|function\ call"
)
_LISTS = r"bindings|tables|entries|you\ mean"
_PLACES = r"in\ '(?:field\ list|[a-z]+\ clause|group\ statement)'"
_ONE = r"(?:\"[^\"\n]*\"|'[^'\n]*')"
_NAMES = rf"""
    \b(?:{_OBJECTS})\ {_ONE} | \b(?:{_LISTS})(?:\ ?:)*\ {_ONE}(?:,\ {_ONE})* | \.\"[^"\n]*\"
  | \b(?:type|database)\ {_ONE}(?=\ does\ not\ exist) | \bfield\ {_ONE}(?=\ doesn't\ have\ a\ default)
"""
_VALUES = rf"""
    (?P<name>{{names}} \b{_PLACES})
  | (?P<near>\bnear\ )(?=['"])
  | (?P<rest>
        (?<=\)=)\(.*\)
          (?=\ already\ exists|\ is\ not\ present|\ is\ still\ referenced|\ conflicts\ with|[.\n]|$)
      | (?<=contains\ )\(.*\)
      | (?<=dup\ key:\ )\{{{{[\s\S]*
    )
  | (?P<quote>(?<!\w)' | ["“„«»‘])
"""
_OWN = re.compile(_VALUES.format(names=_NAMES + "|"), re.VERBOSE | re.IGNORECASE)
_RAISED = re.compile(_VALUES.format(names=""), re.VERBOSE | re.IGNORECASE)


def detail_of(text: str, *, keep: bool, names: bool = True) -> str:
    """The error text as a note shows it: capped, and without quoted values and DETAIL lines.

    Args:
        text: The machine's text.
        keep: Leave the text as it is, but for its length.
        names: What is quoted where the machines' own messages name a table, a column or another object stays.
            False where the words may be those of a rule: there every quoted text is a value.
    """
    if keep:
        return cap(text.strip(), DETAIL_LIMIT)
    text = _ADDED.sub("", text)
    read = re.sub(r"\s*\n\s*", "\n", _REPEATED.sub("", text[:_READ])).strip()
    masked = _without_values(read, _OWN if names else _RAISED, whole=len(text) <= _READ)
    return cap(masked.strip(), DETAIL_LIMIT)


def _without_values(text: str, pattern: re.Pattern[str], *, whole: bool) -> str:
    pieces: list[str] = []
    place = length = 0
    while length <= DETAIL_LIMIT and (found := pattern.search(text, place)):
        pieces.append(text[place : found.start()])
        place = found.end()
        if found["name"]:
            pieces.append(found[0])
        elif found["rest"]:
            pieces.append(MASK)
        else:
            start = found.end() if found["near"] else found.start()
            place = end_of_value(text, start, whole=whole)
            pieces.append(f"near {_token(text[start:place])}" if found["near"] else MASK)
        length = sum(map(len, pieces))
    pieces.append(text[place:])  # all masked, or beyond what is shown
    return "".join(pieces)


def _token(quoted: str) -> str:
    """A keyword or a sign is the engine's; any other word may be a piece of a literal."""
    token = quoted[1:-1].lower()
    own = token in KEYWORDS or not any(c.isalnum() or c in "'\"" for c in token)
    return quoted if own else MASK
