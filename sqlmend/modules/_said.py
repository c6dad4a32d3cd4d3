"""What a model says, told apart from the markup around it and from the form that it was given to fill in."""

from __future__ import annotations

import re
from functools import cache

from sqlmend.modules._prompt import load_prompt

_NOTHING = frozenset(("", "no", "none", "null", "nothing", "n a", "na", "nil", "not applicable"))
_WRAPS = ("**", "__", "``", "`", '"', "*", "_")
_BRACKETS = (("<", ">"), ("[", "]"), ("(", ")"))
# `label: description` in the words of a prompt, one after the other in a line.
_DESCRIBED = re.compile(r"\b\w+: (.+?)(?=\.? \w+: |$)")


def fold(text: str) -> str:
    """The words of a text in lower case, one space between two."""
    return " ".join(re.findall(r"[^\W_]+", text.casefold()))


def unwrapped(text: str) -> str:
    """A text without the stars, double quotes or brackets that are around all of it."""
    text = text.strip()
    while (inner := _inside(text)) is not None:
        text = inner.strip()
    return text


def meant(text: str, name: str) -> str:
    """What a text says, ``""`` where it says nothing or repeats the form of a prompt.

    Args:
        text: A part of a model's answer.
        name: The prompt that it answers.
    """
    plain = unwrapped(text)
    return "" if says_nothing(plain) or repeats_form(plain, name) else plain


def says_nothing(text: str) -> bool:
    """Whether a text is a word for nothing, or holds no word at all."""
    return fold(text) in _NOTHING


def repeats_form(text: str, name: str) -> bool:
    """Whether a text is what a prompt's own form says in its place."""
    return fold(text) in _form(name)


@cache
def _form(name: str) -> frozenset[str]:
    """The parts of a prompt's constant words that stand for what a model is to say."""
    found: set[str] = set()
    for section in load_prompt(name).sections.values():
        for line in re.sub(r"</?\w+>", "\n", section.text).splitlines():
            parts = [*line.split("|"), *_DESCRIBED.findall(line)]
            found.update(fold(part) for part in parts)
    return frozenset(found - {""})


def _inside(text: str) -> str | None:
    for opening, closing in (*((mark, mark) for mark in _WRAPS), *_BRACKETS):
        inner = text[len(opening) : -len(closing)]
        around = len(text) > len(opening) + len(closing) and text == f"{opening}{inner}{closing}"
        if around and opening not in inner and closing not in inner:
            return inner
    return None
