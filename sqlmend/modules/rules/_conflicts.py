"""Rules that say the same, and rules that say the opposite."""

from __future__ import annotations

import re

from sqlmend.memory import Rule
from sqlmend.modules.rules._mentions import constants_by_column

_STOP = frozenset(
    """
    a an and are as asked at be by do does for from in is it its of on or question that the this to too use
    used using when where which with about
    """.split()
)
_WORD = re.compile(r"'(?:[^']|'')*'|[\w.%*/+<>=-]*[\w%*/+<>=-]")
_NEGATION = re.compile(r"\s*(?:never|do not|don't|avoid|no longer)\s+(?:use\s+)?", re.IGNORECASE)
_ALIKE, _SAME_CASE, _SAME_TEXT = 0.75, 0.5, 0.6


def repeats(rule: Rule, kept: Rule) -> bool:
    """Whether a rule adds nothing to a kept one: same anchors, same constants and nearly the same words."""
    if _anchors(rule) != _anchors(kept) or _constants(rule.correction) != _constants(kept.correction):
        return False
    texts = [f"{r.pattern} {r.condition} {r.correction}" for r in (rule, kept)]
    if _likeness(*texts) >= _ALIKE:
        return True
    same = _words(rule.correction) == _words(kept.correction)
    return same and _likeness(rule.condition, kept.condition) >= _SAME_CASE


def contradicts(rule: Rule, kept: Rule) -> bool:
    """Whether two rules of one case and a shared anchor tell opposite things.

    They do where one advises what the other forbids, where each takes the other's correction for the
    mistake, or where they say when they apply and their corrections compare one column with other constants.
    """
    if not _anchors(rule) & _anchors(kept) or not _one_case(rule.condition, kept.condition):
        return False
    for forbidden in (True, False):
        if _clauses(rule.correction, forbidden) & _clauses(kept.correction, not forbidden):
            return True
    if rule.pattern and _inside(rule.pattern, kept.correction) and _inside(kept.pattern, rule.correction):
        return True
    if not _words(rule.condition):
        return False
    mine, theirs = constants_by_column(rule.correction), constants_by_column(kept.correction)
    return any(not mine[column] & theirs[column] for column in mine.keys() & theirs.keys())


def _one_case(one: str, other: str) -> bool:
    """Whether two conditions mean one case: alike, and not of two things that each calls by its name."""
    mine, theirs = _names(one), _names(other)
    named = _of_its_own(mine, other) and _of_its_own(theirs, one)
    return not named and _likeness(one, other) >= _SAME_TEXT


def _of_its_own(names: frozenset[str], text: str) -> bool:
    return bool({name.lower() for name in names} - {word.lower() for word in _WORD.findall(text)})


def _names(text: str) -> frozenset[str]:
    """The constants and capitalised words of a text; its first word is capitalised anyway."""
    return frozenset(
        word for word in _WORD.findall(text)[1:] if word[0] in "'0123456789" or word[0].isupper()
    )


def _anchors(rule: Rule) -> frozenset[str]:
    return frozenset(anchor.lower() for anchor in rule.anchors)


def _words(text: str) -> frozenset[str]:
    found = (word if word[0] == "'" else word.lower().strip(".") for word in _WORD.findall(text))
    return frozenset(word for word in found if word and word not in _STOP)


def _likeness(one: str, other: str) -> float:
    words, others = _words(one), _words(other)
    return len(words & others) / len(words | others) if words | others else 1.0


def _constants(text: str) -> frozenset[str]:
    return frozenset(re.findall(r"""'(?:[^']|'')*'|(?<![\w.])-?\d+(?:\.\d+)?(?![\w.])""", text))


def _clauses(text: str, forbidden: bool) -> set[frozenset[str]]:
    """The clauses of a correction that forbid, or advise, as sets of words."""
    found = set()
    for clause in re.split(r"[;,]|\.\s", text):
        negation = _NEGATION.match(clause)
        words = _words(clause[negation.end() :] if negation else clause)
        if bool(negation) == forbidden and words:
            found.add(words)
    return found


def _inside(pattern: str, text: str) -> bool:
    folded, whole = ("".join(value.lower().split()) for value in (pattern, text))
    return bool(folded) and folded in whole
