"""What an SQL text calls: whether its result can change while the data does not."""

from __future__ import annotations

from collections.abc import Iterator

from sqlmend.databases._tokens import Token, significant

_CLOCK_WORDS = frozenset(("current_date", "current_time", "current_timestamp"))
# SQLite's date functions, with how many arguments one needs that does not read the clock.
_CLOCK_CALLS = {
    "date": 1,
    "time": 1,
    "datetime": 1,
    "julianday": 1,
    "unixepoch": 1,
    "strftime": 2,
    "timediff": 2,
}
_RANDOM_CALLS = frozenset(("random", "randomblob"))
_NAMES = ("word", "double", "quoted")
# What may stand beside a value that is handed on as it is; beside ``=``, ``LIKE`` and the like it is data.
_EDGES = frozenset(("(", ",", ")", "then", "else", "when", "end"))


def reads_clock(sql: str) -> bool:
    """Whether a text asks SQLite for the present time.

    It does with CURRENT_DATE, CURRENT_TIME or CURRENT_TIMESTAMP, a date function that is given no time
    (``datetime()``, ``strftime('%Y')``), or one with ``'now'`` among its arguments. The word in a string
    that is compared, or as the name of a column, is none of these.
    """
    return any(_clock_word(*window) for window in _windows(sql)) or any(
        name in _CLOCK_CALLS and (now or count < _CLOCK_CALLS[name]) for name, count, now in _calls(sql)
    )


def is_nondeterministic(sql: str) -> bool:
    """Whether a text calls a function that answers anew each time: ``random()`` or ``randomblob(n)``."""
    return any(name in _RANDOM_CALLS for name, _, _ in _calls(sql))


def _windows(sql: str) -> Iterator[tuple[Token, Token, Token]]:
    """Each significant token with the one before and the one behind it."""
    edge = Token("space", "", 0)
    found = [edge, *significant(sql), edge]
    return zip(found, found[1:], found[2:], strict=False)


def _clock_word(before: Token, token: Token, after: Token) -> bool:
    return (
        token.folded in _CLOCK_WORDS and before.folded not in (".", "as") and after.folded not in (".", "(")
    )


def _calls(sql: str) -> Iterator[tuple[str, int, bool]]:
    """Each closed call in a text: its name, how many arguments, whether ``'now'`` is a value in them.

    Parentheses without a name before them are calls of ``""``.
    """
    opened: list[tuple[str, int, int]] = []  # name, index of "(", commas
    last_now = -1
    for i, (before, token, after) in enumerate(_windows(sql)):
        if token.folded == "(":
            opened.append((before.name if before.kind in _NAMES else "", i, 0))
        elif token.folded == "," and opened:
            name, start, commas = opened.pop()
            opened.append((name, start, commas + 1))
        elif token.folded == ")" and opened:
            name, start, commas = opened.pop()
            yield name, 0 if start == i - 1 else commas + 1, last_now > start
        elif _is_now(token) and before.folded in _EDGES and after.folded in _EDGES:
            last_now = i


def _is_now(token: Token) -> bool:
    return token.kind in ("string", "double") and token.name == "now"
