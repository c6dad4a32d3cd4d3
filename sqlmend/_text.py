"""Untrusted text: what comes from a model, a database or a benchmark is data, wherever it is shown."""

from __future__ import annotations

import re
import unicodedata

# What closes or opens a tag; a comparison such as `a < b` or `a<b AND c>d` is left as it is.
_TAG = re.compile(
    r"<(?=/|!|\?|\||[A-Za-z][\w:-]*\s*/?>|(?:script|img|svg|iframe|style|a)\s[^<>]*=)", re.IGNORECASE
)
_USERINFO = re.compile(r"(?<=://)[^/@]*@")


def cap(text: str, limit: int) -> str:
    """``text``, or its first ``limit`` characters and a mark that says how many are missing."""
    if len(text) <= limit:
        return text
    return f"{text[:limit]}... [{len(text) - limit} more characters]"


def for_prompt(text: str, limit: int = 8000) -> str:
    """``text`` as data in a prompt: capped, control characters dropped, tags and fences neutralised.

    A tag cannot open or close one of ours because its ``<`` becomes U+2039, and a fence cannot
    end one of ours because its back-quotes become U+02CB. Comparisons of SQL stay as they are.
    """
    clean = "".join(c for c in text if c in "\n\t" or unicodedata.category(c) not in ("Cc", "Cs"))
    return cap(_TAG.sub("\u2039", clean).replace("```", "\u02cb\u02cb\u02cb"), limit)


def for_terminal(text: str, limit: int = 2000) -> str:
    """``text`` as data in a terminal: capped, every control character but newline and tab shown as code.

    Markup of rich is not its business: print with ``markup=False`` or ``rich.text.Text``.
    """

    def safe(character: str) -> str:
        if character in "\n\t" or unicodedata.category(character) not in ("Cc", "Cf", "Cs"):
            return character
        return f"\\x{ord(character):02x}" if ord(character) < 256 else f"\\u{ord(character):04x}"

    return cap("".join(map(safe, text)), limit)


def address(url: str) -> str:
    """``url`` without user, password, query and fragment: what may hold a secret is no part of an address."""
    return re.split(r"[?#]", _USERINFO.sub("", url), maxsplit=1)[0].rstrip("/")
