"""Where a quoted value of an error text ends: machines escape nothing, so that it may hold quotes itself."""

from __future__ import annotations

import re

#: Opening quotes, and what may close them.
_CLOSERS = {'"': '"', "'": "'", "“": "”", "„": "“”", "«": "»", "»": "«", "‘": "’"}

# Words that machines put behind a value that they have quoted.
_NEXT = r"""(?x:
      \ for\ (?:key|column|table|routine)\ ' | \ for\ " | \ violates\  | \ to\ [A-Z] | ,\ expected\ format
    | \ does\ not\ exist\ in\ the\ referenced | \ is\ still\ referenced | \ is\ out\ of\ range\ for
    | \ not\ recognized | \ when\ casting\  | \ -\ should\ this\ be | :\ syntax\ error | \ at\ line\ \d
    | \ according\ to\ format | \ -\ file\ system | \ can't\ be\ cast )"""
_KNOWN = {quote: re.compile(f"[{closers}](?={_NEXT})") for quote, closers in _CLOSERS.items()}
# A quote between two letters is an apostrophe.
_CLOSING = {
    quote: re.compile(rf"(?<!\w)[{closers}]|[{closers}](?!\w)" if closers in "'’" else f"[{closers}]")
    for quote, closers in _CLOSERS.items()
}
# What stands before a value that runs to the end of its message; of other languages the colon alone tells.
_LAST = re.compile(r"(?:invalid input (?:syntax|value) for [^\n]*|literal|token|range|input) ?: \Z", re.I)
_COLON = re.compile(r": \Z")
# Lines of a message of their own.
_MORE = re.compile(r"\n[ \t]*(?:HINT ?:|Candidate |Did you mean|Use )")


def end_of_value(text: str, start: int, *, whole: bool) -> int:
    """Where the value ends whose opening quote is at ``start``; rather too far than too early.

    That is at the last quote that a machine's next words follow. Where there is none, it is at the next quote
    if the quotes of the message alternate, each opening one before and each closing one behind a word; else
    at the last one.

    Args:
        text: The error text.
        start: Place of the opening quote.
        whole: Whether the text is all that the machine said, and was not cut.

    Returns:
        The place behind the closing quote, the end of the text where it is not closed.
    """
    closers = _CLOSERS[text[start]]
    more = _MORE.search(text, start)
    end = more.start() if more else len(text)
    known = [found.end() for found in _KNOWN[text[start]].finditer(text, start + 1, end)]
    if known:
        return known[-1]
    closing = [found.start() for found in _CLOSING[text[start]].finditer(text, start + 1, end)]
    if not closing or not whole:
        return len(text)
    if text[start] in closers:
        if not _LAST.search(text, max(0, start - 200), start) and _alternate(text, [start, *closing]):
            return closing[0] + 1
    elif not _COLON.search(text, max(0, start - 2), start) and (at := _matching(text, start, end, closers)):
        return at + 1
    return closing[-1] + 1 if _closes(text, closing[-1]) else len(text)


def _alternate(text: str, quotes: list[int]) -> bool:
    """Whether every second quote opens a word, and every other one closes one."""
    return len(quotes) % 2 == 0 and all(
        _closes(text, i) if n % 2 else _opens(text, i) for n, i in enumerate(quotes)
    )


def _opens(text: str, i: int) -> bool:
    before, after = text[i - 1 : i] if i else "", text[i + 1 : i + 2]
    return (not before or before.isspace() or before in "([{=:,/-.") and not after.isspace()


def _closes(text: str, i: int) -> bool:
    before, after = text[i - 1], text[i + 1 : i + 2]
    return not before.isspace() and (not after or after.isspace() or after in ".,;:!?)]}/-")


def _matching(text: str, start: int, end: int, closers: str) -> int:
    """Where a quote of another kind than its closing one is closed, 0 where some are not closed."""
    depth = found = 0
    for i in range(start, end):
        if text[i] in closers:
            depth -= 1
            if depth == 0:
                found = found or i
            if depth < 0:
                return 0
        elif text[i] == text[start]:
            depth += 1
    return 0 if depth else found
