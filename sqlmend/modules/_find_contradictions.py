"""The contradictions of a question's candidates: the machine's findings, and a model's reading of them."""

from __future__ import annotations

from collections.abc import Sequence

import dspy

from sqlmend._text import for_prompt
from sqlmend.databases import Database
from sqlmend.modules._adapter import predictor
from sqlmend.modules._context import Asked, read_words, send
from sqlmend.modules._read_contradictions import read_contradictions
from sqlmend.modules._render_rules import render_findings, render_outcomes, render_paths
from sqlmend.modules.contradictions import Facts, find
from sqlmend.modules.tree import Candidate, Tree

_TREE_LIMIT = 6_000
_MOST = 12


class NameContradictions(dspy.Signature):
    """Say where candidates contradict each other, the schema or the question."""

    database_schema: str = dspy.InputField(desc="the schema in one of its views")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    tree: str = dspy.InputField(desc="the merged reasoning, may be empty")
    paths: str = dspy.InputField(desc="the reasoning of each candidate, where it is not merged")
    outcomes: str = dspy.InputField(desc="the queries and what came of them")
    findings: str = dspy.InputField(desc="what was found without a model")
    contradictions: str = dspy.OutputField(desc="a line each: kind, candidates, columns, what")


class FindContradictions(dspy.Module):
    """Finds contradictions of three kinds: deterministic findings first, then one call of the model.

    Nothing here knows the right answer, and nothing asks for it.

    Args:
        model: Whether the model is asked; without, the findings are all.
        order: Section order of the prompt.
        max_tokens: Limit of the answer in tokens; None: the model's own.
    """

    def __init__(self, model: bool = True, order: str = "prefix", max_tokens: int | None = None) -> None:
        super().__init__()
        self.model = model
        self.order = order
        self.predict = predictor(NameContradictions, max_tokens)

    def forward(
        self,
        candidates: Sequence[Candidate],
        database: Database,
        schema: str,
        question: str,
        evidence: str = "",
        tree: Tree | None = None,
        facts: Facts | None = None,
    ) -> dspy.Prediction:
        """Find the contradictions of one question.

        Args:
            candidates: Its candidates with their results.
            database: Where they ran.
            schema: The schema as the prompt shows it.
            question: The question's text.
            evidence: Its evidence, may be empty.
            tree: Their merged reasoning; None: their paths are shown one by one.
            facts: What this question has read of the database so far; None: nothing yet.

        Returns:
            A prediction with ``findings`` (made without a model) and ``contradictions`` (these, then what
            the model adds), both of ``Finding``.

        Raises:
            SqlmendError: The prompt does not fit the model's context, or the model failed.
        """
        findings = find(candidates, database, question, evidence, facts)
        if not self.model or not candidates:
            return dspy.Prediction(findings=findings, contradictions=findings)
        inputs = {
            **Asked(question, evidence).inputs(schema),
            "tree": for_prompt(str(tree), _TREE_LIMIT) if tree is not None else "",
            "paths": render_paths(candidates, database.schema()) if tree is None else "",
            "outcomes": render_outcomes(candidates),
            "findings": render_findings(findings),
        }
        answer = send(self.predict, "contradictions", self.order, inputs, read_words)
        labels = [candidate.label for candidate in candidates]
        known = (question, *(finding.text for finding in findings))
        added = list(read_contradictions(answer, labels, known))[:_MOST]
        return dspy.Prediction(findings=findings, contradictions=(*findings, *added))
