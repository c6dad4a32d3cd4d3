"""Merging by rule, or by a model with the rule behind it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

import dspy

from sqlmend._text import for_prompt
from sqlmend.databases import Schema, extract_answer
from sqlmend.errors import InputError, SqlmendError
from sqlmend.modules._context import Asked, send
from sqlmend.modules._fit import OVERFLOW
from sqlmend.modules._render_rules import path_steps
from sqlmend.modules.tree import Candidate, Tree, merge, parse_mermaid

if TYPE_CHECKING:
    from sqlmend.retrievers import Embedder

_PATH_LIMIT = 2_000


class DrawTree(dspy.Signature):
    """Merge the reasoning of several candidates into one tree."""

    question: str = dspy.InputField()
    candidates: str = dspy.InputField(desc="each candidate's steps")
    tree: str = dspy.OutputField(desc="a Mermaid flow chart")


class MergeTree(dspy.Module):
    """Merges the paths of a question's candidates into one tree.

    Args:
        way: ``deterministic``, or ``model``: the model draws it, and where its drawing is no tree of these
            candidates, or the prompt does not fit, it is merged by rule.
        threshold: The cosine from which two rephrasings mean the same; None: all do.
        order: Section order of the prompt.
    """

    def __init__(
        self,
        way: Literal["deterministic", "model"] = "deterministic",
        threshold: float | None = None,
        order: str = "prefix",
    ) -> None:
        super().__init__()
        self.way = way
        self.threshold = threshold
        self.order = order
        self.predict = dspy.Predict(DrawTree)

    def forward(
        self,
        candidates: Sequence[Candidate],
        schema: Schema,
        question: str,
        embedder: Embedder | None = None,
    ) -> dspy.Prediction:
        """Merge the candidates of one question.

        Args:
            candidates: The candidates in any order.
            schema: What their names are resolved with.
            question: The question's text.
            embedder: Embeds rephrasings where there is a threshold.

        Returns:
            A prediction with ``tree`` (``Tree``) and ``way`` (how it was merged).

        Raises:
            InputError: There is a threshold, and nothing that embeds.
        """
        if self.threshold is not None and embedder is None:
            raise InputError(
                "no_embedder",
                f"a threshold of {self.threshold} compares rephrasings by meaning, and there is no embedder",
                hint="leave the threshold out, or use a program that recalls from a memory",
            )
        if self.way == "model" and candidates:
            drawn = self._drawn(candidates, schema, question)
            if drawn is not None:
                return dspy.Prediction(tree=drawn, way="model")
        wordings = embedder if self.threshold is not None else None
        tree = merge(candidates, schema, embedder=wordings, threshold=self.threshold or 0.0)
        return dspy.Prediction(tree=tree, way="deterministic")

    def _drawn(self, candidates: Sequence[Candidate], schema: Schema, question: str) -> Tree | None:
        shown = "\n\n".join(for_prompt(_steps(candidate, schema), _PATH_LIMIT) for candidate in candidates)
        inputs = {**Asked(question).inputs(""), "candidates": shown}
        try:
            answer = send(self.predict, "merge", self.order, inputs, extract_answer)
        except SqlmendError as error:
            if error.code not in OVERFLOW:
                raise
            return None
        tree = parse_mermaid(answer, [candidate.label for candidate in candidates])
        outcomes = tuple(sorted((c.label, c.result) for c in candidates if c.result is not None))
        return replace(tree, outcomes=outcomes) if tree is not None else None


def _steps(candidate: Candidate, schema: Schema) -> str:
    return f"{path_steps(candidate, schema)}\nsql: {candidate.sql}"
