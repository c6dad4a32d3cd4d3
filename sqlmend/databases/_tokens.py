"""SQL text as tokens, the way SQLite reads it; every other text function stands on this one."""

from __future__ import annotations

import re
from typing import NamedTuple

_WORD = r"A-Za-z0-9_$\x80-\U0010ffff"
_TOKEN = re.compile(
    rf"""
      (?P<space>[ \t-\r\ufeff]+)
    | (?P<comment>--[^\n]* | /\*(?=.).*?(?:\*/|\Z))
    | (?P<string>'[^']*(?:''[^']*)*'?)
    | (?P<double>"[^"]*(?:""[^"]*)*"?)
    | (?P<quoted>`[^`]*(?:``[^`]*)*`? | \[[^\]]*\]?)
    | (?P<blob>[xX]'[^']*'?)
    | (?P<word>[A-Za-z_\x80-\U0010ffff][{_WORD}]*)
    | (?P<number>(?>0[xX][0-9a-fA-F]+|(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?)(?![{_WORD}]))
    | (?P<parameter>\?[0-9]* | [@:\#$][{_WORD}]+)
    | (?P<operator>->>? | \|\| | <[=<>]? | >[=>]? | ==? | != | [-+*/%&|~,;().])
    | (?P<other>\.?[0-9][{_WORD}.]* | .)
    """,
    re.VERBOSE | re.DOTALL,
)

#: SQLite's keywords, in lower case.
KEYWORDS = frozenset(
    """
    abort action add after all alter always analyze and as asc attach autoincrement before begin between
    by cascade case cast check collate column commit conflict constraint create cross current
    current_date current_time current_timestamp database default deferrable deferred delete desc detach
    distinct do drop each else end escape except exclude exclusive exists explain fail filter first
    following for foreign from full generated glob group groups having if ignore immediate in index
    indexed initially inner insert instead intersect into is isnull join key last left like limit match
    materialized natural no not nothing notnull null nulls of offset on or order others outer over
    partition plan pragma preceding primary query raise range recursive references regexp reindex
    release rename replace restrict returning right rollback row rows savepoint select set table temp
    temporary then ties to transaction trigger unbounded union unique update using vacuum values view
    virtual when where window with without
    """.split()
)


class Token(NamedTuple):
    """A piece of SQL text.

    Attributes:
        kind: ``space``, ``comment``, ``string`` ('x'), ``double`` ("x"), ``quoted`` (`x` or [x]), ``blob``,
            ``word``, ``number``, ``parameter``, ``operator``, or ``other`` for what SQLite refuses.
        text: The piece as written; an unclosed quote or comment goes to the end of the text.
        start: Where it begins in the text, in characters.
    """

    kind: str
    text: str
    start: int

    @property
    def end(self) -> int:
        """Where it ends in the text."""
        return self.start + len(self.text)

    @property
    def folded(self) -> str:
        """A keyword, bare name or operator in lower case; ``""`` for what has a text of its own.

        Compare with this, so that the string ``'and'`` is never taken for the keyword.
        """
        return self.text.lower() if self.kind in ("word", "operator") else ""

    @property
    def unquoted(self) -> str:
        """What it names or says, without quotes."""
        if self.kind not in ("double", "quoted", "string"):
            return self.text
        closing = "]" if self.text[0] == "[" else self.text[0]
        return self.text[1:].removesuffix(closing).replace(closing * 2, closing)

    @property
    def name(self) -> str:
        """What it names or says, without quotes and in lower case."""
        return self.unquoted.lower()


def tokens(sql: str) -> list[Token]:
    """All tokens of any text; joined, they are the text again."""
    return [Token(match.lastgroup or "other", match[0], match.start()) for match in _TOKEN.finditer(sql)]


def significant(sql: str) -> list[Token]:
    """The tokens that mean something: no space, no comments."""
    return [token for token in tokens(sql) if token.kind not in ("space", "comment")]
