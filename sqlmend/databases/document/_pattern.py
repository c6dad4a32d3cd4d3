"""LIKE as a regular expression."""

from __future__ import annotations

import re
import string

# Not ".", which leaves out the line feed, and not "$", which matches before a final one.
_ANY = r"[\s\S]"
_END = r"(?![\s\S])"


def like_to_regex(pattern: str) -> str:
    """The regular expression that matches what SQLite's LIKE matches.

    ASCII letters match in both cases, other letters in their own alone, as in SQLite; written out as classes,
    because the store's own option for it folds all of Unicode.
    """
    return "^" + "".join(map(_character, pattern)) + _END


def _character(character: str) -> str:
    if character == "%":
        return _ANY + "*"
    if character == "_":
        return _ANY
    if character in string.ascii_letters:
        return f"[{character.lower()}{character.upper()}]"
    return re.escape(character)
