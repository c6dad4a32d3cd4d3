"""The first query for a question."""

from __future__ import annotations

from collections.abc import Sequence

import dspy

from sqlmend.modules._adapter import ask, predictor
from sqlmend.modules._context import Asked
from sqlmend.modules._draw import Draw
from sqlmend.modules._fit import fits, require_fit
from sqlmend.modules._prompt import load_prompt
from sqlmend.modules._render_cards import render_cards
from sqlmend.retrievers import Scored

_ORDER = "prefix"


class WriteQuery(dspy.Signature):
    """Write one SQLite query that answers a question about a database."""

    database_schema: str = dspy.InputField(desc="CREATE TABLE statements")
    cards: str = dspy.InputField(desc="earlier questions and what they taught, may be empty")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    sql: str = dspy.OutputField(desc="one query")


class Generate(dspy.Module):
    """Writes the initial query from schema, question and evidence, and from cards where there are any.

    Its prompt has one order of sections, so that all programs share their initial predictions.

    Args:
        max_tokens: Limit of the answer in tokens; None: the model's own.
    """

    def __init__(self, max_tokens: int | None = None) -> None:
        super().__init__()
        self.max_tokens = max_tokens
        self.predict = predictor(WriteQuery, max_tokens)

    def forward(
        self,
        schema: str,
        question: str,
        evidence: str = "",
        cards: Sequence[Scored] = (),
        draw: Draw | None = None,
    ) -> dspy.Prediction:
        """Ask for one query; the least relevant cards are left out until the prompt fits.

        Args:
            schema: The schema as rendered.
            question: The question's text.
            evidence: Its evidence, may be empty.
            cards: Cards of earlier questions, best first; without any, the prompt says nothing of cards.
            draw: A sampled query; None: the language model's own settings.

        Returns:
            A prediction with ``sql`` (``""`` where the answer holds no query), ``shown`` (ids of the cards
            in the prompt, best first) and ``dropped_memories`` (number of those left out).

        Raises:
            SqlmendError: The prompt does not fit the model's context, or the model failed.
        """
        prompt = load_prompt("generate")
        lm = self.predict.lm or dspy.settings.lm
        inputs = Asked(question, evidence).inputs(schema)
        kept = list(cards)
        while True:
            inputs["cards"] = render_cards(kept)
            text = prompt.render(inputs, _ORDER)
            if not kept or fits(text, lm, self.max_tokens):
                break
            kept.pop()
        require_fit(text, lm, self.max_tokens)
        return dspy.Prediction(
            sql=ask(self.predict, prompt, _ORDER, inputs, draw),
            shown=tuple(scored.record.id for scored in kept),
            dropped_memories=len(cards) - len(kept),
        )
