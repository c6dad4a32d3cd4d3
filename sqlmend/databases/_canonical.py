"""One text for all spellings of a statement."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase

from sqlmend.databases._statements import real_tokens

# SQLite folds the case of ASCII letters only: É and é are two names to it.
_FOLD = str.maketrans(ascii_uppercase, ascii_lowercase)


def canonical(sql: str) -> str:
    """A text with case of keywords and bare names, spacing, comments and stray ``;`` folded.

    Tokens are parted by one space, statements by `` ; ``. Literals stay as written. So do quoted names,
    quotes and case included: to SQLite ``"Lima"`` may be a string, so that its case can matter.
    Never throws; ``canonical(canonical(sql)) == canonical(sql)``.
    """
    return " ".join(
        token.text.translate(_FOLD) if token.kind == "word" else token.text for token in real_tokens(sql)
    )
