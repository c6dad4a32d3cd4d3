"""What a finished episode leaves in the memory."""

from __future__ import annotations

from collections.abc import Sequence

import dspy

from sqlmend._text import cap
from sqlmend.databases import delta
from sqlmend.memory import Execution, RepairEntry
from sqlmend.modules._limits import DELTA_LIMIT, SCHEMA_LIMIT, cap_execution


class Remember(dspy.Module):
    """Turns a finished episode into at most one repair entry; deterministic, no language model.

    Earlier steps of an episode leave nothing, and neither does a question without a revision.
    """

    def forward(
        self,
        question_id: str,
        question: str,
        db_id: str,
        schema: str,
        schema_fingerprint: str,
        evidence: str,
        attempts: Sequence[Execution],
        failure_types: Sequence[str | None],
        solved: bool,
    ) -> dspy.Prediction:
        """Write the entry of the last step.

        Args:
            question_id: Id of the question within its benchmark.
            question: Its text.
            db_id: Name of its database.
            schema: The schema as rendered in the prompts.
            schema_fingerprint: ``sha256:...`` of the schema.
            evidence: Its evidence, may be empty.
            attempts: All attempts from the initial query on.
            failure_types: Failure type of each attempt, None for the confirmed one.
            solved: Whether the last attempt was confirmed (a positive) or the episode ended without that
                (a negative): its budget is exhausted, or it was given up.

        Returns:
            A prediction with ``entry``: a ``RepairEntry`` or None.
        """
        if len(attempts) < 2:
            return dspy.Prediction(entry=None)
        before, after = attempts[-2:]
        failure_type = failure_types[-2]
        if failure_type is None:
            raise ValueError("the attempt before the last must have failed; it has no failure type")
        entry = RepairEntry(
            polarity="positive" if solved else "negative",
            question_id=question_id,
            question=question,
            db_id=db_id,
            schema=cap(schema, SCHEMA_LIMIT),
            schema_fingerprint=schema_fingerprint,
            evidence=evidence,
            before=cap_execution(before),
            after=cap_execution(after),
            delta=cap(delta(before.sql, after.sql), DELTA_LIMIT),
            failure_type=failure_type,
        )
        return dspy.Prediction(entry=entry)
