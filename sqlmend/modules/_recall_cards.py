"""Cards of earlier questions of the database."""

from __future__ import annotations

from typing import Literal

import dspy

from sqlmend.memory import MemoryView
from sqlmend.modules._recall import RecallParameters
from sqlmend.retrievers import HybridRetriever, PoolSettings, RecallQuery

OwnCards = Literal["exclude", "allow"]

#: Cosine of question to key alone, the five nearest of the same database.
CARD_SETTINGS = PoolSettings(dense=1.0, lexical=0.0, type_policy="off", top_k=5, scope="same_database")


class RecallCards(dspy.Module):
    """Recalls the cards whose keys are nearest to the question.

    Args:
        settings: Weights, top-k, scope and group rule.
        own: ``exclude``: never a card that the question itself has left; ``allow``: that one as well, which
            is replay and would be a leak anywhere else. Under ``same_group: exclude`` it stays hidden.
    """

    def __init__(self, settings: PoolSettings = CARD_SETTINGS, own: OwnCards = "exclude") -> None:
        super().__init__()
        self.tunable = RecallParameters(settings)
        self.own = own

    def forward(
        self, question: str, memory: MemoryView, retriever: HybridRetriever, draw: str = ""
    ) -> dspy.Prediction:
        """Recall for one question.

        Args:
            question: The question's text; nothing else is searched for.
            memory: What this position of the stream may see.
            retriever: Ranks entries of that memory.
            draw: Seeds a random ranking.

        Returns:
            A prediction with ``ranked`` (``Scored``, best first) and ``pool`` (``Pool``).
        """
        settings = self.tunable.settings
        view = memory.with_own() if self.own == "allow" else memory
        query = RecallQuery(question=question, sql="", failure_context="", failure_type="", draw=draw)
        ranked, pool = retriever.best(query, view, ("cards",), settings, settings.top_k)
        return dspy.Prediction(ranked=ranked, pool=pool)
