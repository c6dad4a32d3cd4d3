"""What earlier repairs say about the failure at hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any, Generic, TypeVar

import dspy
from dspy.predict.parameter import Parameter

from sqlmend.memory import Execution, MemoryView
from sqlmend.retrievers import (
    HybridRetriever,
    PoolSettings,
    RankSettings,
    RecallQuery,
    RecallSettings,
    failure_context,
)

Settings = TypeVar("Settings", bound=RankSettings)


class RecallParameters(Parameter, Generic[Settings]):
    """The tunable numbers of a recall as one DSPy parameter: saved, loaded, copied and reset with a program.

    Args:
        settings: The values that ``reset`` goes back to.
    """

    def __init__(self, settings: Settings) -> None:
        self._initial = settings
        self.settings = settings

    def reset(self) -> None:
        """Back to the values of construction."""
        self.settings = self._initial

    def dump_state(self, json_mode: bool = True) -> dict[str, Any]:
        """The values as plain JSON values."""
        state = asdict(self.settings)
        return {**state, "reliable_types": list(state["reliable_types"])}

    def load_state(self, state: dict[str, Any]) -> None:
        """The reverse of ``dump_state``.

        Raises:
            InputError: A value is out of its range.
            TypeError: A name is missing or unknown.
        """
        self.settings = type(self._initial)(**state)


class Recall(dspy.Module):
    """Recalls positives and negatives for one failed attempt from a causal view of the memory.

    The live index comes with each call: a module that is copied holds none.

    Args:
        settings: Weights, top-k, type policy, scope and group rule.
    """

    def __init__(self, settings: RecallSettings | None = None) -> None:
        super().__init__()
        self.tunable = RecallParameters(settings or RecallSettings())

    def forward(
        self,
        question: str,
        attempt: Execution,
        failure_type: str,
        memory: MemoryView,
        retriever: HybridRetriever,
        draw: str = "",
    ) -> dspy.Prediction:
        """Recall for one failure.

        Args:
            question: The question's text.
            attempt: The attempt that failed.
            failure_type: Its failure type.
            memory: What this position of the stream may see.
            retriever: Ranks entries of that memory.
            draw: Seeds a random ranking.

        Returns:
            A prediction with ``recalled`` (``Recalled``: positives and negatives, best first).
        """
        query = _query(question, attempt, failure_type, draw)
        return dspy.Prediction(recalled=retriever.recall(query, memory, self.tunable.settings))


class RecallPool(dspy.Module):
    """Recalls for one failed attempt from one pool of entries, whatever their kinds.

    Args:
        kinds: Kinds of the entries in the pool.
        settings: Weights, top-k, type policy, scope and group rule.
    """

    def __init__(self, kinds: Sequence[str], settings: PoolSettings | None = None) -> None:
        super().__init__()
        self.kinds = tuple(kinds)
        self.tunable = RecallParameters(settings or PoolSettings())

    def forward(
        self,
        question: str,
        attempt: Execution,
        failure_type: str,
        memory: MemoryView,
        retriever: HybridRetriever,
        draw: str = "",
    ) -> dspy.Prediction:
        """Recall for one failure; the arguments are those of ``Recall``.

        Returns:
            A prediction with ``ranked`` (``Scored``, best first) and ``pool`` (``Pool``).
        """
        settings = self.tunable.settings
        query = _query(question, attempt, failure_type, draw)
        ranked, pool = retriever.best(query, memory, self.kinds, settings, settings.top_k)
        return dspy.Prediction(ranked=ranked, pool=pool)


def _query(question: str, attempt: Execution, failure_type: str, draw: str) -> RecallQuery:
    return RecallQuery(
        question=question,
        sql=attempt.sql,
        failure_context=failure_context(attempt.status, attempt.error),
        failure_type=failure_type,
        draw=draw,
    )
