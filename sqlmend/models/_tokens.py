"""Tokens of a text where the tokenizer is not here."""

from __future__ import annotations

import re
from functools import lru_cache

#: Assumed where nobody says how long a model's context is; where it is shorter, the server refuses a
#: longer prompt and that question is recorded as failed.
DEFAULT_WINDOW = 32_768

# Words end where the case changes, as for tokenizers; a space belongs to the next word, but not to a digit.
_PIECES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])| ?\d|\s+|.", re.DOTALL)
_CONSONANTS = re.compile(r"[b-df-hj-np-tv-xz]{3,}", re.IGNORECASE)
_VOWEL = re.compile(r"[aeiouy]", re.IGNORECASE)


def estimate_tokens(text: str) -> int:
    """An estimate that is rather too high: a token for every 4 letters of a word and for each other sign.

    Tokenizers know words, not codes: letters that nobody could speak count about two tokens in three.
    """
    return sum(map(_tokens, _PIECES.findall(text)))


@lru_cache(maxsize=8192)
def _tokens(piece: str) -> int:
    if piece == " ":
        return 0
    if not (piece.isascii() and piece.isalpha()):
        return len(piece.encode("utf-8", "replace"))
    letters = len(piece)
    unspoken = sum(len(run) - 2 for run in _CONSONANTS.findall(piece))
    tokens = -(-(letters + 3 * unspoken) // 4)
    if 4 * len(_VOWEL.findall(piece)) >= letters:
        return tokens
    return max(tokens, -(-3 * letters // (4 if piece.isupper() else 5)))
