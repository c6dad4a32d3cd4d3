"""Reading contradictions from an answer, however its lines are marked, without a second call."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence

from sqlmend._text import cap
from sqlmend.modules._said import fold, meant, unwrapped
from sqlmend.modules.contradictions import Finding
from sqlmend.modules.tree import name_parts

_TEXT_LIMIT = 300
_KINDS = {"structur": "structure", "schema": "schema", "question": "question"}
# A bullet or number, the candidates in brackets, the kind, a name behind a slash, and what parts it off.
_LINE = re.compile(
    r"""^[^\w\[]*(?:\d+\s*[.):]\s*)?(?:\[(?P<labels>[^\]|]*)\]\s+(?=\W*(?:structur|schema|question)))?
    \W*(?:kind\s*:\W*)?(?P<kind>structur|schema|question)(?:e|es|al|s)?
    (?:\s*/\s*\w+)?[*_`\]"']*\s*(?:[|:]|\s[-–—]\s)(?P<rest>.*)$""",
    re.IGNORECASE | re.VERBOSE,
)
_NAMED = re.compile(r"^\W*(?:candidates?|columns?|anchors?|what|text|reason)\s*:\s*", re.IGNORECASE)
_NO_CONTRADICTION = re.compile(
    r"^(?:there (?:is|are) )?no\b.*\b(?:contradict|conflict|inconsisten|issue|problem|differ|disagree)",
    re.IGNORECASE,
)
_NAME_ALONE = re.compile(r"[`\"\w]+\.[`\"\w]+")


def read_contradictions(text: str, labels: Sequence[str], known: Collection[str] = ()) -> Iterator[Finding]:
    """What a model found, one a line: ``kind | candidates | table.column | what``; its code is ``model``.

    Parts may be missing. A line that names no kind is none, and neither is one that says that nothing
    contradicts, or that repeats the form, an earlier line or what is known.

    Args:
        text: The answer.
        labels: Labels of the candidates.
        known: Texts that the prompt has shown: saying them again finds nothing.
    """
    seen = {fold(each) for each in known}
    for line in text.splitlines():
        match = _LINE.match(line.strip())
        if match is None:
            continue
        parts = [_NAMED.sub("", part).strip(" -*\t") for part in match["rest"].strip().strip("|").split("|")]
        said = cap(meant(parts[-1], "contradictions"), _TEXT_LIMIT)
        rest = " ".join((match["labels"] or "", *parts))
        named = [label for label in labels if re.search(rf"\b{re.escape(label)}\b", rest)]
        if not said or _NO_CONTRADICTION.match(said) or fold(said) in seen or _only_names(said, labels):
            continue
        seen.add(fold(said))
        kind = _KINDS[match["kind"].lower()]
        anchors = _anchors(parts[1]) if len(parts) > 2 else ()
        yield Finding(kind, "model", said, tuple(sorted(named)), anchors)  # type: ignore[arg-type]


def _anchors(text: str) -> tuple[tuple[str, str], ...]:
    parts = [name_parts(unwrapped(name)) for name in re.split(r",\s*", text) if meant(name, "contradictions")]
    return tuple((p[-2], p[-1]) if len(p) > 1 else (p[0], "") for p in parts if p)


def _only_names(text: str, labels: Sequence[str]) -> bool:
    """Whether a line breaks off at its candidates or columns."""
    words = [word for word in re.split(r"[\s,;]+|\band\b", text) if word]
    return all(word in labels or _NAME_ALONE.fullmatch(word) for word in words)
