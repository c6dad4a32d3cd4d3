"""Another query for a question whose earlier ones were wrong."""

from __future__ import annotations

import dspy

from sqlmend.modules._adapter import predictor, read_sql
from sqlmend.modules._context import Asked
from sqlmend.modules._known import Known, send_known


class WriteAnother(dspy.Signature):
    """Write one SQLite query that answers a question, from what is known of it."""

    database_schema: str = dspy.InputField(desc="CREATE TABLE statements")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    wrong: str = dspy.InputField(desc="queries that are wrong, may be empty")
    history: str = dspy.InputField(desc="the attempts so far and what the machine said, may be empty")
    findings: str = dspy.InputField(desc="looks at the database, may be empty")
    sql: str = dspy.OutputField(desc="one query")


class Retry(dspy.Module):
    """Writes the next query from the schema, the question and what is known of it.

    Args:
        order: Section order of the prompt: ``prefix`` or ``published``.
        max_tokens: Limit of the answer in tokens; None: the model's own.
    """

    def __init__(self, order: str = "prefix", max_tokens: int | None = None) -> None:
        super().__init__()
        self.order = order
        self.predict = predictor(WriteAnother, max_tokens)

    def forward(self, schema: str, question: str, evidence: str, known: Known) -> dspy.Prediction:
        """Ask for one query; what does not fit the model's context is left out first.

        Args:
            schema: The schema as rendered.
            question: The question's text.
            evidence: Its evidence, may be empty.
            known: The attempts, how much of them is told, and the looks at the database.

        Returns:
            A prediction with ``sql`` (``""`` where the answer holds no query), ``dropped_attempts`` and
            ``dropped_probes`` (numbers of those left out).

        Raises:
            SqlmendError: The prompt does not fit even so, or the model failed.
        """
        inputs = Asked(question, evidence).inputs(schema)
        sql, shown = send_known(self.predict, "retry", self.order, inputs, known, read_sql)
        return dspy.Prediction(
            sql=sql, dropped_attempts=shown.dropped_attempts, dropped_probes=shown.dropped_probes
        )
