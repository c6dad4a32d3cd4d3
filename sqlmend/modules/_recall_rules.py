"""Rules of earlier questions that fit the database at hand."""

from __future__ import annotations

import dspy

from sqlmend.databases import Schema
from sqlmend.memory import MemoryView
from sqlmend.modules._recall import RecallParameters
from sqlmend.modules.rules import anchored
from sqlmend.retrievers import HybridRetriever, Pool, PoolSettings, RecallQuery, Scored

#: Cosine alone over all types, the five nearest.
RULE_SETTINGS = PoolSettings(dense=1.0, lexical=0.0, type_policy="off", top_k=5)


class RecallRules(dspy.Module):
    """Recalls rules whose anchors are all in the current schema, nearest to the question first.

    Args:
        settings: Weights, top-k, scope and group rule.
        bound: Whether anchors are looked at; without, what other databases taught is recalled as well where
            the scope has it, and so are free lessons.
    """

    def __init__(self, settings: PoolSettings = RULE_SETTINGS, bound: bool = True) -> None:
        super().__init__()
        self.tunable = RecallParameters(settings)
        self.bound = bound

    def forward(
        self, question: str, schema: Schema, memory: MemoryView, retriever: HybridRetriever, draw: str = ""
    ) -> dspy.Prediction:
        """Recall for one question.

        Args:
            question: The question's text, with its evidence.
            schema: The schema that anchors must be in.
            memory: What this position of the stream may see.
            retriever: Ranks entries of that memory.
            draw: Seeds a random ranking.

        Returns:
            A prediction with ``ranked`` (``Scored``, best first) and ``pool`` (``Pool``: how many rules
            were legal, and how many of them fit the schema).
        """
        settings = self.tunable.settings
        query = RecallQuery(question=question, sql="", failure_context="", failure_type="", draw=draw)
        ranked, pool = retriever.best(query, memory, ("rules",), settings, None)
        fitting = [scored for scored in ranked if not self.bound or _fits(scored, schema)]
        return dspy.Prediction(ranked=tuple(fitting[: settings.top_k]), pool=Pool(pool.legal, len(fitting)))


def _fits(scored: Scored, schema: Schema) -> bool:
    return anchored(scored.record.entry.rule.anchors, schema)
