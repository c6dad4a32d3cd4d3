"""One contradiction that was found without a language model."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal["structure", "schema", "question"]


@dataclass(frozen=True)
class Finding:
    """A reason to doubt candidates.

    Attributes:
        kind: ``structure`` (siblings that conflict), ``schema`` (the database says otherwise) or
            ``question`` (the result does not answer what was asked).
        code: What kind of fault it is, a short name.
        text: What was seen, in words.
        candidates: Labels of the candidates that it is about, sorted; of both sides for ``structure``.
        anchors: (table, column) that it is about, the column ``""`` for a whole table.
        results_differ: Whether the results of the two sides differ; None where it compares none.
    """

    kind: Kind
    code: str
    text: str
    candidates: tuple[str, ...]
    anchors: tuple[tuple[str, str], ...] = ()
    results_differ: bool | None = None

    def __str__(self) -> str:
        return f"[{', '.join(self.candidates)}] {self.kind}/{self.code}: {self.text}"


def merged(findings: list[Finding]) -> list[Finding]:
    """The findings, one for each kind, code and text, with the candidates of all."""
    found: dict[tuple[str, str, str], Finding] = {}
    for finding in findings:
        key = (finding.kind, finding.code, finding.text)
        earlier = found.get(key)
        labels = {*finding.candidates, *(earlier.candidates if earlier else ())}
        found[key] = replace(earlier or finding, candidates=tuple(sorted(labels)))
    return list(found.values())
