"""One contradiction that was found without a language model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from sqlmend.databases import Table

Kind = Literal["structure", "schema", "question"]
#: (table, column), the column ``""`` for a whole table.
Anchor = tuple[str, str]
_MOST_ANCHORS = 6


@dataclass(frozen=True)
class Finding:
    """A reason to doubt candidates.

    Attributes:
        kind: ``structure`` (siblings that conflict), ``schema`` (the database says otherwise) or
            ``question`` (the result does not answer what was asked).
        code: What kind of fault it is, a short name.
        text: What was seen, in words.
        candidates: Labels of the candidates that it is about, sorted; of both sides for ``structure``.
        anchors: What it is about, for ``structure`` what the differing parts of the queries read.
        results_differ: Whether the results of the two sides differ; None where it compares none.
    """

    kind: Kind
    code: str
    text: str
    candidates: tuple[str, ...]
    anchors: tuple[Anchor, ...] = ()
    results_differ: bool | None = None

    def __str__(self) -> str:
        return f"[{', '.join(self.candidates)}] {self.kind}/{self.code}: {self.text}"


def some_anchors(anchors: Iterable[Anchor], tables: Iterable[Table]) -> tuple[Anchor, ...]:
    """The first few anchors, each once; where there is none, those of whole tables."""
    found = dict.fromkeys(anchors) or dict.fromkeys((table.name, "") for table in tables)
    return tuple(found)[:_MOST_ANCHORS]


def about(anchors: Iterable[str], findings: Iterable[Finding]) -> list[Finding]:
    """The findings about one of the tables or columns, each ``table`` or ``table.column``, in any case.

    A whole table and a column of it are about each other.
    """
    bound = [anchor.lower().partition(".")[::2] for anchor in anchors]
    return [f for f in findings if any(_meet(anchor, other) for anchor in bound for other in f.anchors)]


def _meet(anchor: tuple[str, str], other: Anchor) -> bool:
    table, column = (part.lower() for part in other)
    return anchor[0] == table and ("" in (anchor[1], column) or anchor[1] == column)


def merged(findings: list[Finding]) -> list[Finding]:
    """The findings, one for each kind, code and text, with the candidates of all."""
    found: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        key = (finding.kind, finding.code, finding.text)
        earlier = found.get(key)
        labels = {*finding.candidates, *(earlier.candidates if earlier else ())}
        anchors = (*(earlier.anchors if earlier else ()), *finding.anchors)
        found[key] = replace(finding, candidates=tuple(sorted(labels)), anchors=tuple(dict.fromkeys(anchors)))
    return list(found.values())
