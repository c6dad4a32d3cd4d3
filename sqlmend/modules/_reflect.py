"""A short note on a failed attempt."""

from __future__ import annotations

from collections.abc import Sequence

import dspy

from sqlmend._text import cap, for_prompt
from sqlmend.databases import extract_answer
from sqlmend.memory import Execution
from sqlmend.modules._adapter import ask
from sqlmend.modules._context import Asked
from sqlmend.modules._fit import fits, require_fit
from sqlmend.modules._limits import NAME_LIMIT, REFLECTION_LIMIT
from sqlmend.modules._prompt import load_prompt
from sqlmend.modules._render import render_history


class ReflectOnFailure(dspy.Signature):
    """Say what to look at again after a query failed, without a new query."""

    database_schema: str = dspy.InputField(desc="CREATE TABLE statements")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    history: str = dspy.InputField(desc="the attempts so far, numbered")
    failure_type: str = dspy.InputField(desc="failure type of the last attempt")
    reflection: str = dspy.OutputField(desc="a few words")


class Reflect(dspy.Module):
    """Writes a short debugging reflection after a failed attempt (Reflexion, Shinn et al. 2023).

    Args:
        order: Section order of the prompt: ``prefix`` or ``published``.
    """

    def __init__(self, order: str = "prefix") -> None:
        super().__init__()
        self.order = order
        # A note of 50 words; a model that goes on and on is cut.
        self.predict = dspy.Predict(ReflectOnFailure, max_tokens=160)

    def forward(
        self, schema: str, question: str, evidence: str, history: Sequence[Execution], failure_type: str
    ) -> dspy.Prediction:
        """Ask for one reflection; the oldest attempts go first where the prompt does not fit.

        Args:
            schema: The schema as rendered.
            question: The question's text.
            evidence: Its evidence, may be empty.
            history: All attempts from the initial query on, each failed; at least one.
            failure_type: Failure type of the last attempt.

        Returns:
            A prediction with ``reflection``, ``""`` where the answer is empty.

        Raises:
            SqlmendError: The prompt does not fit even so, or the model failed.
        """
        if not history:
            raise ValueError("history must hold the attempt that failed; got none")
        prompt = load_prompt("reflect")
        lm = self.predict.lm or dspy.settings.lm
        inputs = {
            **Asked(question, evidence).inputs(schema),
            "failure_type": for_prompt(failure_type, NAME_LIMIT),
        }
        for oldest in range(len(history)):
            inputs["history"] = render_history(history[oldest:], oldest + 1)
            text = prompt.render(inputs, self.order)
            if fits(text, lm):
                break
        require_fit(text, lm)
        return dspy.Prediction(
            reflection=cap(
                ask(self.predict, prompt, self.order, inputs, read=extract_answer), REFLECTION_LIMIT
            )
        )
