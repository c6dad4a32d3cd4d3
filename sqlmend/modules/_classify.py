"""The failure type of an attempt, from what the machine said alone."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

import dspy

#: Failure type by status of an attempt.
FAILURE_TYPES: Mapping[str, str] = MappingProxyType(
    {
        "unknown_table": "schema_linking",
        "unknown_column": "schema_linking",
        "ambiguous_column": "schema_linking",
        "syntax_error": "syntax",
        "no_statement": "syntax",
        "multi_statement": "syntax",
        "misuse_of_aggregate": "aggregation",
        "type_mismatch": "filter_value",
        "timeout": "execution",
        "too_large": "execution",
        "denied": "execution",
        "constraint_violation": "execution",
        "unknown_function": "execution",
        "other_error": "unknown",
        "mismatch": "result_mismatch",
    }
)


class ClassifyFailure(dspy.Module):
    """Names the failure type of a failed attempt; deterministic, no language model."""

    def forward(self, status: str) -> dspy.Prediction:
        """Classify one failure.

        Args:
            status: ``mismatch`` or a failing status of the database; the database derives it from
                the DBMS's code and text.

        Returns:
            A prediction with ``failure_type``.

        Raises:
            ValueError: The status is no failure.
        """
        if status not in FAILURE_TYPES:
            raise ValueError(f"status must be one of {', '.join(sorted(FAILURE_TYPES))}; got {status!r}")
        return dspy.Prediction(failure_type=FAILURE_TYPES[status])
