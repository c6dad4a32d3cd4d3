"""What earlier repairs say about the failure at hand."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import dspy
from dspy.predict.parameter import Parameter

from sqlmend.memory import Execution, MemoryView
from sqlmend.retrievers import HybridRetriever, RecallQuery, RecallSettings, failure_context


class RecallParameters(Parameter):
    """The tunable numbers of a recall as one DSPy parameter: saved, loaded, copied and reset with a program.

    Args:
        settings: The values that ``reset`` goes back to.
    """

    def __init__(self, settings: RecallSettings) -> None:
        self._initial = settings
        self.settings = settings

    def reset(self) -> None:
        """Back to the values of construction."""
        self.settings = self._initial

    def dump_state(self, json_mode: bool = True) -> dict[str, Any]:
        """The values as plain JSON values."""
        return asdict(self.settings)

    def load_state(self, state: dict[str, Any]) -> None:
        """The reverse of ``dump_state``.

        Raises:
            InputError: A value is out of its range.
            TypeError: A name is missing or unknown.
        """
        self.settings = RecallSettings(**state)


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
    ) -> dspy.Prediction:
        """Recall for one failure.

        Args:
            question: The question's text.
            attempt: The attempt that failed.
            failure_type: Its failure type.
            memory: What this position of the stream may see.
            retriever: Ranks entries of that memory.

        Returns:
            A prediction with ``recalled`` (``Recalled``: positives and negatives, best first).
        """
        query = RecallQuery(
            question=question,
            sql=attempt.sql,
            failure_context=failure_context(attempt.status, attempt.error),
            failure_type=failure_type,
        )
        return dspy.Prediction(recalled=retriever.recall(query, memory, self.tunable.settings))
