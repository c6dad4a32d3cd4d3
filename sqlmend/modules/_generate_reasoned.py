"""Candidates for one question, one for each view of the schema."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial

import dspy

from sqlmend._text import for_prompt
from sqlmend.databases import Schema
from sqlmend.errors import SqlmendError
from sqlmend.memory import Rule
from sqlmend.modules._adapter import read_sql
from sqlmend.modules._context import Asked, read_whole, send
from sqlmend.modules._fit import OVERFLOW
from sqlmend.modules._gather import gather
from sqlmend.modules._limits import QUESTION_LIMIT, SQL_LIMIT
from sqlmend.modules._read_path import read_path
from sqlmend.modules._recall_examples import Example
from sqlmend.modules._render_rules import render_rules
from sqlmend.modules.tree import Candidate, Path


class AnswerFromView(dspy.Signature):
    """Write one SQLite query that answers a question, from one view of the schema."""

    database_schema: str = dspy.InputField(desc="the schema in one of its views")
    examples: str = dspy.InputField(desc="questions with their queries, may be empty")
    lessons: str = dspy.InputField(desc="rules from other questions, may be empty")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    sql: str = dspy.OutputField(desc="one query")


class ReasonFromView(dspy.Signature):
    """Answer a question in six steps, from one view of the schema."""

    database_schema: str = dspy.InputField(desc="the schema in one of its views")
    examples: str = dspy.InputField(desc="questions with their queries, may be empty")
    lessons: str = dspy.InputField(desc="rules from other questions, may be empty")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    path: str = dspy.OutputField(desc="five steps in tags, and the query")


class GenerateDirect(dspy.Module):
    """Writes one greedy candidate for each view, without reasoning; concurrently on a served model.

    Args:
        order: Section order of the prompt.
    """

    def __init__(self, order: str = "prefix") -> None:
        super().__init__()
        self.order = order
        self.predict = dspy.Predict(AnswerFromView)

    def forward(
        self,
        views: Mapping[str, str],
        question: str,
        evidence: str = "",
        examples: Sequence[Example] = (),
        rules: Sequence[Rule] = (),
    ) -> dspy.Prediction:
        """Ask once for each view.

        Args:
            views: The schema's text by the view's name.
            question: The question's text.
            evidence: Its evidence, may be empty.
            examples: Questions with their queries.
            rules: Rules from other questions, best first.

        Returns:
            A prediction with ``candidates``: ``Candidate``, labelled ``c1`` and so on in the order of the
            views; one whose prompt does not fit the model's context is missing, and so is one whose view
            is the same text as an earlier one's: the same prompt twice would be the same vote twice.

        Raises:
            SqlmendError: No prompt fits, or the model failed.
        """
        asked = Asked(question, evidence)

        def write(label: str, name: str, text: str) -> Candidate:
            inputs = {
                **asked.inputs(text),
                "examples": _examples(examples),
                "lessons": render_rules(rules),
            }
            sql = send(self.predict, "answer_view", self.order, inputs, read_sql)
            return Candidate(label, Path(sql=sql), view=name)

        return dspy.Prediction(candidates=_each(views, write))


class GenerateReasoned(dspy.Module):
    """Writes one candidate with a path of six typed steps for each view; concurrently on a served model.

    Args:
        order: Section order of the prompt.
    """

    def __init__(self, order: str = "prefix") -> None:
        super().__init__()
        self.order = order
        self.predict = dspy.Predict(ReasonFromView)

    def forward(
        self,
        views: Mapping[str, str],
        schema: Schema,
        question: str,
        evidence: str = "",
        examples: Sequence[Example] = (),
        rules: Sequence[Rule] = (),
    ) -> dspy.Prediction:
        """Ask once for each view.

        Args:
            views: The schema's text by the view's name.
            schema: The whole schema, for reading steps off a query where an answer left them out.
            question: The question's text.
            evidence: Its evidence, may be empty.
            examples: Questions with their queries.
            rules: Rules from other questions, best first.

        Returns:
            A prediction with ``candidates`` as ``GenerateDirect`` and ``parsed``: ``whole``, ``repaired``
            or ``none`` by label.

        Raises:
            SqlmendError: No prompt fits, or the model failed.
        """
        asked = Asked(question, evidence)
        parsed: dict[str, str] = {}

        def write(label: str, name: str, text: str) -> Candidate:
            inputs = {
                **asked.inputs(text),
                "examples": _examples(examples),
                "lessons": render_rules(rules),
            }
            completion = send(self.predict, "reason", self.order, inputs, read_whole)
            path, parsed[label] = read_path(completion, schema)
            return Candidate(label, path, view=name)

        candidates = _each(views, write)
        return dspy.Prediction(candidates=candidates, parsed=dict(sorted(parsed.items())))


def _examples(examples: Sequence[Example]) -> str:
    """Questions with their queries, safe to show."""
    return "\n\n".join(
        f"question: {for_prompt(e.question, QUESTION_LIMIT)}\nquery: {for_prompt(e.sql, SQL_LIMIT)}"
        for e in examples
    )


def _each(views: Mapping[str, str], write: Callable[[str, str, str], Candidate]) -> tuple[Candidate, ...]:
    """A candidate of each view, named by the view's place; a copy of an earlier view's text has none."""
    overflow: list[SqlmendError] = []

    def attempt(label: str, name: str, text: str) -> Candidate | None:
        try:
            return write(label, name, text)
        except SqlmendError as error:
            if error.code not in OVERFLOW:
                raise
            overflow.append(error)
            return None

    first: dict[str, str] = {}
    for name, text in views.items():
        first.setdefault(text, name)
    calls = [
        partial(attempt, f"c{n}", name, text)
        for n, (name, text) in enumerate(views.items(), 1)
        if first[text] == name
    ]
    written = [candidate for candidate in gather(calls) if candidate is not None]
    if not written and overflow:
        raise overflow[0]
    return tuple(written)
