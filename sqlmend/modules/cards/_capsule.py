"""Cards that a language model words: a short lesson."""

from __future__ import annotations

import re

import dspy

from sqlmend._text import cap, for_prompt
from sqlmend.memory import CardPart
from sqlmend.modules._adapter import ask
from sqlmend.modules._context import Asked, read_words
from sqlmend.modules._fit import fits, require_fit
from sqlmend.modules._limits import REFLECTION_LIMIT, SQL_LIMIT
from sqlmend.modules._prompt import load_prompt
from sqlmend.modules._render import render_history
from sqlmend.modules.cards._holds_sql import holds_sql
from sqlmend.modules.cards._material import Material

_TAG = re.compile(r"</?answer>", re.IGNORECASE)


class WriteLesson(dspy.Signature):
    """Say in a few words what a corrected query teaches."""

    database_schema: str = dspy.InputField(desc="CREATE TABLE statements")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    history: str = dspy.InputField(desc="the attempts that failed, numbered; may be empty")
    query: str = dspy.InputField(desc="the query that came last")
    lesson: str = dspy.OutputField(desc="a few words, no query")


class WriteCapsule(dspy.Module):
    """Asks for the lesson of one episode.

    Args:
        order: Section order of the prompt: ``prefix`` or ``published``.
    """

    def __init__(self, order: str = "prefix") -> None:
        super().__init__()
        self.order = order
        # A lesson of 60 words; a model that goes on and on is cut.
        self.predict = dspy.Predict(WriteLesson, max_tokens=200)

    def forward(self, material: Material) -> dspy.Prediction:
        """Ask for one lesson; the oldest attempts go first where the prompt does not fit.

        Args:
            material: The episode.

        Returns:
            A prediction with ``lesson``, ``""`` where the model sees none.

        Raises:
            SqlmendError: The prompt does not fit even so, or the model failed.
        """
        prompt = load_prompt("capsule")
        lm = self.predict.lm or dspy.settings.lm
        failed = material.attempts[:-1]
        inputs = {
            **Asked(material.question, material.evidence).inputs(material.schema.ddl()),
            "query": for_prompt(material.sql, SQL_LIMIT),
        }
        for oldest in range(len(failed) + 1):
            inputs["history"] = render_history(failed[oldest:], oldest + 1)
            text = prompt.render(inputs, self.order)
            if fits(text, lm):
                break
        require_fit(text, lm)
        lesson = ask(self.predict, prompt, self.order, inputs, read=_read)
        return dspy.Prediction(lesson=cap(lesson, REFLECTION_LIMIT))


def capsule(material: Material) -> tuple[CardPart, ...]:
    """The lesson, by the language model of ``dspy.context``; one that holds SQL all the same is code."""
    lesson = WriteCapsule()(material).lesson
    return (CardPart("lesson", lesson, code=holds_sql(lesson, material.schema)),) if lesson else ()


def _read(completion: str) -> str:
    """The words of an answer; tags around nothing are none."""
    return _TAG.sub("", read_words(completion)).strip()
