"""The first query for a question."""

from __future__ import annotations

import dspy

from sqlmend.modules._adapter import read_sql
from sqlmend.modules._context import Asked, send
from sqlmend.modules._draw import Draw

_ORDER = "prefix"


class WriteQuery(dspy.Signature):
    """Write one SQLite query that answers a question about a database."""

    database_schema: str = dspy.InputField(desc="CREATE TABLE statements")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    sql: str = dspy.OutputField(desc="one query")


class Generate(dspy.Module):
    """Writes the initial query from schema, question and evidence.

    Its prompt has one order of sections, so that all programs share their initial predictions.
    """

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(WriteQuery)

    def forward(
        self, schema: str, question: str, evidence: str = "", draw: Draw | None = None
    ) -> dspy.Prediction:
        """Ask for one query.

        Args:
            schema: The schema as rendered.
            question: The question's text.
            evidence: Its evidence, may be empty.
            draw: A sampled query; None: the language model's own settings.

        Returns:
            A prediction with ``sql``, ``""`` where the answer holds no query.

        Raises:
            SqlmendError: The prompt does not fit the model's context, or the model failed.
        """
        inputs = Asked(question, evidence).inputs(schema)
        return dspy.Prediction(sql=send(self.predict, "generate", _ORDER, inputs, read_sql, draw))
