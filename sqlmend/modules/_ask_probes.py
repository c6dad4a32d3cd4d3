"""Which read-only queries a model wants to run before it writes the one that answers."""

from __future__ import annotations

import re

import dspy

from sqlmend.databases import extract_sql, statements
from sqlmend.modules._adapter import predictor
from sqlmend.modules._context import Asked, read_whole
from sqlmend.modules._known import Known, send_known
from sqlmend.modules._probe import single_queries

# Lists and answers of one query each are what models make of "one or two queries".
_MARK = re.compile(
    r"(?:^|(?<=<answer>))[ \t]*(?:[-*]|\d+[.):])[ \t]+(?=(?:select|with|values)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_AGAIN = re.compile(r"</answer>\s*<answer>", re.IGNORECASE)


class AskForProbes(dspy.Signature):
    """Write read-only queries whose results tell how to answer a question."""

    database_schema: str = dspy.InputField(desc="CREATE TABLE statements")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    wrong: str = dspy.InputField(desc="queries that are wrong, may be empty")
    history: str = dspy.InputField(desc="the attempts so far and what the machine said, may be empty")
    findings: str = dspy.InputField(desc="earlier looks at the database, may be empty")
    most: str = dspy.InputField(desc="how many queries at most")
    queries: str = dspy.OutputField(desc="queries, each ended by a semicolon")


class AskProbes(dspy.Module):
    """Asks in one call for a few queries that look at the data; it runs none of them.

    Args:
        most: Queries at most.
        order: Section order of the prompt: ``prefix`` or ``published``.
        max_tokens: Limit of the answer in tokens; None: the model's own.
    """

    def __init__(self, most: int = 2, order: str = "prefix", max_tokens: int | None = None) -> None:
        super().__init__()
        self.most = most
        self.order = order
        self.predict = predictor(AskForProbes, max_tokens)

    def forward(self, schema: str, question: str, evidence: str, known: Known) -> dspy.Prediction:
        """Ask once.

        Args:
            schema: The schema as rendered.
            question: The question's text.
            evidence: Its evidence, may be empty.
            known: What is known of the question; what does not fit the model's context is left out.

        Returns:
            A prediction with ``queries``, at most ``most`` of any text, none where the answer holds none.

        Raises:
            SqlmendError: The prompt does not fit even so, or the model failed.
        """
        inputs = {**Asked(question, evidence).inputs(schema), "most": str(self.most)}
        answer, _ = send_known(self.predict, "probe", self.order, inputs, known, read_whole)
        return dspy.Prediction(queries=read_queries(answer)[: self.most])


def read_queries(completion: str) -> tuple[str, ...]:
    """The queries of an answer, in order, each once."""
    sql = extract_sql(_AGAIN.sub(";\n", _MARK.sub("", completion))) or ""
    return tuple(dict.fromkeys(query for text in statements(sql) for query in single_queries(text)))
