"""The part of an episode's state that belongs to candidates, their reasoning and what it teaches."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from sqlmend.databases.views import Links
from sqlmend.memory import Rule
from sqlmend.modules import Example
from sqlmend.modules.contradictions import Finding
from sqlmend.modules.rules import Judged
from sqlmend.modules.tree import Candidate, Result, Tree, tree_to_data
from sqlmend.retrievers import Pool, Scored


@dataclass
class Reasoning:
    """What the candidates of one question came to.

    Attributes:
        links: Tables and columns that the question needs; empty: nothing is cut.
        whole_tables: Whether views keep all columns of linked tables: a question names few of those that
            it needs.
        examples: Demonstrations for the prompts.
        rules: Rules of earlier questions, best first; None: none were looked for.
        rule_pool: How their pool was cut.
        candidates: The candidates that are answered with, run.
        selected: Label of the one that is the answer, ``""`` where none is selected.
        confidence: Share of the candidates that have its result.
        agreed: Labels of those.
        reasoned: The candidates that are learnt from, where they are others.
        parsed: How well their answers were written, by label.
        tree: Their merged reasoning.
        merged: How it was merged.
        contradictions: What contradicts what; None: it was not looked for.
        proposed: The rules that were extracted.
        judged: What the filter made of them; None: nothing filtered.
    """

    links: Links = field(default_factory=Links)
    whole_tables: bool = False
    examples: tuple[Example, ...] = ()
    rules: tuple[Scored, ...] | None = None
    rule_pool: Pool = field(default_factory=lambda: Pool(0, 0))
    candidates: tuple[Candidate, ...] = ()
    selected: str = ""
    confidence: float = 0.0
    agreed: tuple[str, ...] = ()
    reasoned: tuple[Candidate, ...] = ()
    parsed: Mapping[str, str] = field(default_factory=dict)
    tree: Tree | None = None
    merged: str = ""
    contradictions: tuple[Finding, ...] | None = None
    proposed: tuple[Rule, ...] = ()
    judged: tuple[Judged, ...] | None = None

    @property
    def learnt_from(self) -> tuple[Candidate, ...]:
        """The candidates that are learnt from: those of their own, or the ones answered with."""
        return self.reasoned or self.candidates

    @property
    def shown_rules(self) -> tuple[Rule, ...]:
        """The recalled rules themselves."""
        return tuple(scored.record.entry.rule for scored in self.rules or ())

    @property
    def kept(self) -> tuple[Rule, ...]:
        """The rules that go into the memory: those that passed the filter, or all where there is none."""
        if self.judged is None:
            return self.proposed
        return tuple(verdict.rule for verdict in self.judged if verdict.kept)

    def to_data(self) -> dict[str, Any]:
        """Plain values for a run's records, without times; empty where no step has used it."""
        if not self.learnt_from:
            return {}
        rules = [] if self.rules is None else [scored.record.id for scored in self.rules]
        return {
            "links": {table: sorted(columns) for table, columns in self.links.by_table.items()},
            "rules": rules,
            "rule_pool": vars(self.rule_pool).copy(),
            "candidates": [_candidate(candidate) for candidate in self.candidates],
            "selected": self.selected,
            "confidence": round(self.confidence, 6),
            "agreed": list(self.agreed),
            "reasoned": [_candidate(candidate) for candidate in self.reasoned],
            "parsed": dict(self.parsed),
            "tree": None if self.tree is None else tree_to_data(self.tree),
            "merged": self.merged,
            "contradictions": None
            if self.contradictions is None
            else [asdict(finding) for finding in self.contradictions],
            "proposed": [asdict(rule) for rule in self.proposed],
            "judged": None if self.judged is None else [asdict(verdict) for verdict in self.judged],
        }


def _candidate(candidate: Candidate) -> dict[str, Any]:
    path = {
        name: list(getattr(candidate.path, name)) for name in ("tables", "columns", "functions", "values")
    }
    return {
        "label": candidate.label,
        "view": candidate.view,
        "question": candidate.path.question,
        **path,
        "sql": candidate.sql,
        **_result(candidate.result),
    }


def _result(result: Result | None) -> dict[str, Any]:
    if result is None:
        return {"status": None}
    return {
        "status": result.status,
        "error": result.error,
        "rows": result.count,
        "signature": result.signature,
    }
