"""Rules from contradictions, by a model."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import dspy

from sqlmend._text import cap, for_prompt
from sqlmend.databases import Schema
from sqlmend.memory import Rule
from sqlmend.modules._adapter import predictor
from sqlmend.modules._context import Asked, read_words, send
from sqlmend.modules._read_rules import read_rules
from sqlmend.modules._render_rules import render_findings, render_outcomes, render_paths
from sqlmend.modules.contradictions import Finding, about
from sqlmend.modules.rules import anchor_text
from sqlmend.modules.tree import Candidate, Tree

_MOST_RULES = 3
_MOST_BOUND = 3
_FIELD_LIMIT = 400
_TREE_LIMIT = 6_000


class WriteRules(dspy.Signature):
    """Write rules from contradictions of candidates."""

    database_schema: str = dspy.InputField(desc="the schema in one of its views")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    tree: str = dspy.InputField(desc="the merged reasoning, may be empty")
    paths: str = dspy.InputField(desc="the reasoning of each candidate, where it is not merged")
    outcomes: str = dspy.InputField(desc="the queries and what came of them, may be empty")
    contradictions: str = dspy.InputField(desc="what contradicts what, may be empty")
    forms: str = dspy.InputField(desc="rules to complete, bound to what the contradictions are about")
    rules: str = dspy.OutputField(desc="blocks of type, anchor, pattern, condition, correction")


class WriteLessons(dspy.Signature):
    """Write lessons from candidates and what came of them."""

    database_schema: str = dspy.InputField(desc="the schema in one of its views")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    outcomes: str = dspy.InputField(desc="the queries and what came of them")
    lessons: str = dspy.OutputField(desc="a lesson a line")


class ExtractRules(dspy.Module):
    """Writes rule units from the contradictions of one question; without any it asks nothing.

    Args:
        bound: Whether rules keep the anchors that they are written with.
        order: Section order of the prompt.
        max_tokens: Limit of the answer in tokens; None: the model's own.
    """

    def __init__(self, bound: bool = True, order: str = "prefix", max_tokens: int | None = None) -> None:
        super().__init__()
        self.bound = bound
        self.order = order
        self.predict = predictor(WriteRules, max_tokens)

    def forward(
        self,
        contradictions: Sequence[Finding] | None,
        candidates: Sequence[Candidate],
        database_schema: Schema,
        schema: str,
        question: str,
        evidence: str = "",
        tree: Tree | None = None,
    ) -> dspy.Prediction:
        """Extract the rules of one question.

        Args:
            contradictions: What was found; None: it was not looked for, and tree and outcomes are all.
            candidates: The candidates with their results.
            database_schema: What anchors are resolved to.
            schema: The schema as the prompt shows it.
            question: The question's text.
            evidence: Its evidence, may be empty.
            tree: Their merged reasoning; None: their paths are shown one by one.

        Returns:
            A prediction with ``rules``, their anchors in the schema's spelling where it has them, and none
            where they are not bound.

        Raises:
            SqlmendError: The prompt does not fit the model's context, or the model failed.
        """
        if contradictions is not None and not contradictions:
            return dspy.Prediction(rules=())
        inputs = {
            **Asked(question, evidence).inputs(schema),
            "tree": for_prompt(str(tree), _TREE_LIMIT) if tree is not None else "",
            "paths": render_paths(candidates, database_schema) if tree is None else "",
            "outcomes": render_outcomes(candidates),
            "contradictions": render_findings(contradictions or ()),
            "forms": for_prompt(_forms(contradictions or (), self.bound), _TREE_LIMIT),
        }
        answer = send(self.predict, "extract", self.order, inputs, read_words)
        rules = [_told(rule, contradictions or ()) for rule in read_rules(answer, database_schema)]
        kept = rules[:_MOST_RULES]
        return dspy.Prediction(rules=tuple(kept if self.bound else (replace(r, anchors=()) for r in kept)))


def _forms(findings: Sequence[Finding], bound: bool) -> str:
    """What is to be completed: small models say the words of an empty form back, but fill in a begun one."""
    about = dict.fromkeys(", ".join(_names(finding)[:_MOST_BOUND]) for finding in findings)
    begun = [f"anchor: {names}\n" for names in about if names][:_MOST_RULES] or ["anchor:\n"]
    return "\n\n".join(f"{line}condition:\ncorrection:" for line in (begun if bound else [""]))


def _told(rule: Rule, findings: Sequence[Finding]) -> Rule:
    """The rule; where it does not say what the mistake was, the finding about what it is bound to does."""
    said = about(rule.anchors, findings)
    return rule if rule.pattern or not said else replace(rule, pattern=cap(said[0].text, _FIELD_LIMIT))


def _names(finding: Finding) -> list[str]:
    return [anchor_text(anchor) for anchor in finding.anchors]


class ExtractLessons(dspy.Module):
    """Writes free lessons, without tree, anchors or types: the control for a memory of any kind.

    Args:
        order: Section order of the prompt.
        max_tokens: Limit of the answer in tokens; None: the model's own.
    """

    def __init__(self, order: str = "prefix", max_tokens: int | None = None) -> None:
        super().__init__()
        self.order = order
        self.predict = predictor(WriteLessons, max_tokens)

    def forward(
        self, candidates: Sequence[Candidate], schema: str, question: str, evidence: str = ""
    ) -> dspy.Prediction:
        """Extract the lessons of one question; the arguments are those of ``ExtractRules``.

        Returns:
            A prediction with ``rules`` of type ``""``.
        """
        inputs = {**Asked(question, evidence).inputs(schema), "outcomes": render_outcomes(candidates)}
        answer = send(self.predict, "lesson", self.order, inputs, read_words)
        lines = (line.strip(" -*\t") for line in answer.splitlines())
        lessons = [re.sub(r"^\d+[.)]\s*", "", line) for line in lines if line]
        return dspy.Prediction(
            rules=tuple(Rule("", "", "", cap(lesson, _FIELD_LIMIT)) for lesson in lessons[:_MOST_RULES])
        )
