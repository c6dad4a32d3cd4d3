"""Which tables and columns a question needs."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

import dspy

from sqlmend.databases import Schema
from sqlmend.databases._ddl import Samples
from sqlmend.databases.views import Links, SchemaView
from sqlmend.errors import SqlmendError
from sqlmend.modules._context import Asked, read_words, send
from sqlmend.modules._fit import OVERFLOW
from sqlmend.modules._gather import gather
from sqlmend.modules._read_links import read_links

_SHORTEST = 3
_PLURAL = ("", "s", "es")
_DERIVED = (*_PLURAL, "d", "ed", "r", "er", "rs", "ers", "ing")  # vote: who voted, voters
_SHORTEST_DERIVED = 4


class NameNeeded(dspy.Signature):
    """Name the tables and columns that a question needs."""

    database_schema: str = dspy.InputField(desc="the schema in one of its views")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    needed: str = dspy.OutputField(desc="a line for each table: table, colon, columns")


class LinkSchema(dspy.Module):
    """Predicts the tables and columns that a question needs, from several formats, merged by union.

    Tables through which keys lead from one of them to another come with them.

    Args:
        formats: Formats of the schema that the model is asked with, one call each; none: the words of
            question and evidence are looked up among names and sampled values, without a model.
        order: Section order of the prompt.
    """

    def __init__(self, formats: Sequence[str] = ("m_schema", "ddl"), order: str = "prefix") -> None:
        super().__init__()
        self.views = [SchemaView(name) for name in formats]
        self.order = order
        self.predict = dspy.Predict(NameNeeded, max_tokens=256)

    def forward(
        self, schema: Schema, question: str, evidence: str = "", samples: Samples | None = None
    ) -> dspy.Prediction:
        """Link one question.

        Args:
            schema: The whole schema.
            question: The question's text.
            evidence: Its evidence, may be empty.
            samples: Values by table and column.

        Returns:
            A prediction with ``links`` (empty where nothing was recognised: then nothing is cut).

        Raises:
            SqlmendError: The model failed; a format that does not fit its context links nothing.
        """
        if not self.views:
            found = lexical_links(schema, f"{question}\n{evidence}", samples or {})
            return dspy.Prediction(links=found.joined(schema))
        asked = Asked(question, evidence)

        def call(view: SchemaView) -> str:
            inputs = asked.inputs(view.render(schema, samples=samples))
            try:
                return send(self.predict, "link", self.order, inputs, read_words)
            except SqlmendError as error:
                if error.code not in OVERFLOW:
                    raise
                return ""  # the other formats link without it

        answers = gather([lambda view=view: call(view) for view in self.views])  # type: ignore[misc]
        links = Links()
        for answer in answers:
            links |= read_links(answer, schema)
        return dspy.Prediction(links=links.joined(schema))


def lexical_links(schema: Schema, words: str, samples: Samples) -> Links:
    """Tables, and columns by their name or by a sampled value, whose words stand in a text."""
    text = f" {_plain(words)} "
    named: dict[str, list[str]] = {}
    for table in schema.tables:
        values: Mapping[str, Sequence[Any]] = samples.get(table.name, {})
        columns = [
            column.name
            for column in table.columns
            if _said(column.name, text) or any(_said(value, text) for value in values.get(column.name, ()))
        ]
        if columns or _said(table.name, text):
            named[table.name] = columns
    return Links.of(schema, named)


def _said(name: Any, text: str) -> bool:
    """Whether a name, as it is or with another ending, or a text value stands in a text of plain words."""
    words = _plain(name) if isinstance(name, str) else ""
    if len(words) < _SHORTEST:
        return False
    stem = words.removesuffix("s")
    endings = _PLURAL if len(stem) < _SHORTEST_DERIVED else _DERIVED
    return any(f" {form} " in text for form in (words, *(stem + ending for ending in endings)))


def _plain(text: str) -> str:
    """The words of a text in lower case, one space between two."""
    return " ".join(re.findall(r"[^\W_]+", text.lower()))
