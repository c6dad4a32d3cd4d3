"""One new query after a failure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import dspy

from sqlmend._text import for_prompt
from sqlmend.memory import Execution
from sqlmend.modules._adapter import ask
from sqlmend.modules._context import Asked
from sqlmend.modules._draw import Draw
from sqlmend.modules._fit import fits, require_fit
from sqlmend.modules._limits import HINT_LIMIT
from sqlmend.modules._prompt import load_prompt
from sqlmend.modules._render import (
    render_feedback,
    render_history,
    render_mixed,
    render_negatives,
    render_notes,
    render_positives,
    render_recalled_reflections,
    render_reflections,
)
from sqlmend.retrievers import Recalled, Scored

#: The sections that show memories: section to part of ``Recalled`` and how it is shown.
_MEMORIES = {
    "positives": ("positives", render_positives),
    "negatives": ("negatives", render_negatives),
    "mixed": ("mixed", render_mixed),
    "recalled_reflections": ("reflections", render_recalled_reflections),
}


class CorrectQuery(dspy.Signature):
    """Correct a SQLite query that failed, with the help of what earlier repairs taught."""

    database_schema: str = dspy.InputField(desc="CREATE TABLE statements")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    history: str = dspy.InputField(desc="the attempts so far, numbered")
    positives: str = dspy.InputField(desc="confirmed repairs of other questions")
    negatives: str = dspy.InputField(desc="failed repairs of other questions")
    mixed: str = dspy.InputField(desc="repairs of other questions, whatever came of them")
    recalled_reflections: str = dspy.InputField(desc="what was thought about failures of other questions")
    notes: str = dspy.InputField(desc="what the machine refused of this form of statement, and what to do")
    reflections: str = dspy.InputField(desc="what was thought about this question's failures")
    feedback: str = dspy.InputField(desc="status, DBMS text and failure type of the last attempt")
    schema_hint: str = dspy.InputField(desc="where the schema has the name that was not found, may be empty")
    sql: str = dspy.OutputField(desc="one new query")


class Revise(dspy.Module):
    """Writes one revision from the history, the feedback and the recalled memories.

    Args:
        order: Section order of the prompt: ``prefix`` or ``published``.
    """

    def __init__(self, order: str = "prefix") -> None:
        super().__init__()
        self.order = order
        self.predict = dspy.Predict(CorrectQuery)

    def forward(
        self,
        schema: str,
        question: str,
        evidence: str,
        history: Sequence[Execution],
        failure_type: str,
        recalled: Recalled | None = None,
        reflections: Sequence[str] = (),
        notes: Sequence[str] = (),
        schema_hint: str = "",
        draw: Draw | None = None,
    ) -> dspy.Prediction:
        """Ask for one revision; what does not fit the model's context is left out first.

        The least relevant memories go first, then the oldest attempts; the last attempt stays.

        Args:
            schema: The schema as rendered.
            question: The question's text.
            evidence: Its evidence, may be empty.
            history: All attempts from the initial query on, each failed; at least one.
            failure_type: Failure type of the last attempt.
            recalled: Memories of other questions, best first.
            reflections: The episode's own reflections, oldest first.
            schema_hint: What the schema says of a name that was not found, may be empty.
            notes: Failure notes for the last attempt; they are always shown.
            draw: A sampled revision; None: the language model's own settings.

        Returns:
            A prediction with ``sql`` (``""`` where the answer holds no query), ``shown`` (ids of the
            memories in the prompt, in the order of the parts of ``Recalled``, best first),
            ``dropped_memories`` and ``dropped_attempts`` (numbers of those left out).

        Raises:
            SqlmendError: The prompt does not fit even so, or the model failed.
        """
        if not history:
            raise ValueError("history must hold the attempt that failed; got none")
        prompt = load_prompt("revise")
        lm = self.predict.lm or dspy.settings.lm
        inputs = {
            **Asked(question, evidence).inputs(schema),
            "notes": render_notes(notes),
            "reflections": render_reflections(reflections),
            "schema_hint": for_prompt(schema_hint, HINT_LIMIT),
            "feedback": render_feedback(history[-1], len(history), failure_type),
        }
        parts = {
            section: list(getattr(recalled or Recalled(), part)) for section, (part, _) in _MEMORIES.items()
        }
        given = sum(map(len, parts.values()))
        oldest = 0
        while True:
            inputs |= {section: render(parts[section]) for section, (_, render) in _MEMORIES.items()}
            inputs["history"] = render_history(history[oldest:], oldest + 1)
            text = prompt.render(inputs, self.order)
            if fits(text, lm):
                break
            if any(parts.values()):
                _drop_least_relevant(parts)
            elif oldest < len(history) - 1:
                oldest += 1
            else:
                require_fit(text, lm)
        shown = tuple(scored.record.id for part in parts.values() for scored in part)
        return dspy.Prediction(
            sql=ask(self.predict, prompt, self.order, inputs, draw),
            shown=shown,
            dropped_memories=given - len(shown),
            dropped_attempts=oldest,
        )


def _drop_least_relevant(parts: Mapping[str, list[Scored]]) -> None:
    """Take the memory with the lowest score away; of equal ones that of the later part."""
    filled = [part for part in reversed([*parts.values()]) if part]
    min(filled, key=lambda part: part[-1].score).pop()
