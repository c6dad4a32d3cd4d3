"""A statement as clauses of items, read off its tokens alone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from sqlmend.databases._statements import real_tokens, with_depth
from sqlmend.databases._tokens import Token

_CLAUSES = {
    "with": "WITH",
    "select": "SELECT",
    "from": "FROM",
    "where": "WHERE",
    "group": "GROUP BY",
    "having": "HAVING",
    "window": "WINDOW",
    "order": "ORDER BY",
    "limit": "LIMIT",
    "values": "VALUES",
}
_SET_WORDS = frozenset(("union", "intersect", "except", ";"))
_JOIN_WORDS = frozenset(("natural", "left", "right", "full", "outer", "inner", "cross", "join"))


class Item:
    """One member of a clause: a selected value, a table, a join, a condition.

    Two items are the same when their ``key`` is; as text they are what was written.
    """

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.tokens = tokens

    def __len__(self) -> int:
        return len(self.tokens)

    @cached_property
    def key(self) -> tuple[str, ...]:
        """The tokens, with the case of keywords and bare names folded."""
        return tuple(token.folded or token.text for token in self.tokens)

    def part(self, start: int, end: int) -> Item:
        """The tokens from ``start`` up to ``end``."""
        return Item(self.tokens[start:end])

    def __str__(self) -> str:
        pieces: list[str] = []
        for i, token in enumerate(self.tokens):
            if i and token.start > self.tokens[i - 1].end:
                pieces.append(" ")
            pieces.append(token.text)
        return "".join(pieces)


def clauses(sql: str) -> dict[str, list[Item]]:
    """The clauses at the top level of any text, in order, each with its items.

    Names are ``SELECT``, ``FROM``, ``JOIN`` (each an item, its word included), ``WHERE`` and so on, ``SET``
    for what stands between two statements, and ``SQL`` for what begins otherwise; those of the second
    statement of a UNION are ``SELECT (2)`` and so on. Conditions are parted at AND unless there is an OR.
    """
    found: dict[str, list[Item]] = {}
    name, arm = "SQL", 1
    piece: list[tuple[Token, int]] = []

    def close() -> None:
        key = name if arm == 1 or name == "SET" else f"{name} ({arm})"
        items = [Item(tokens) for tokens in _items(name, piece) if tokens]
        if items:
            found.setdefault(key, []).extend(items)
        piece.clear()

    pairs = list(with_depth(real_tokens(sql)))
    for i, (token, depth) in enumerate(pairs):
        word = token.folded if depth == 0 else ""
        following = pairs[i + 1][0].folded if i + 1 < len(pairs) else ""
        if word in _SET_WORDS:
            close()
            name, arm = "SET", arm + 1
        elif word in _JOIN_WORDS and name in ("FROM", "JOIN") and following != "(":
            if name == "FROM" or not all(known.folded in _JOIN_WORDS for known, _ in piece):
                close()
            name = "JOIN"
        elif word in _CLAUSES and not (word in ("group", "order") and following != "by"):
            close()
            name = _CLAUSES[word]
            continue
        elif word == "by" and not piece:
            continue
        piece.append((token, depth))
    close()
    return found


def _items(name: str, piece: Sequence[tuple[Token, int]]) -> Iterator[list[Token]]:
    """The tokens of a clause, parted at its commas or its ANDs."""
    between = 0
    separator = "," if name not in ("JOIN", "WHERE", "HAVING", "SQL", "SET") else ""
    if name in ("WHERE", "HAVING") and not any(d == 0 and token.folded == "or" for token, d in piece):
        separator = "and"
    item: list[Token] = []
    for token, depth in piece:
        word = token.folded if depth == 0 else ""
        between += word == "between"
        if separator and word == separator and not (word == "and" and between):
            yield item
            item = []
            continue
        between -= word == "and"
        item.append(token)
    yield item
