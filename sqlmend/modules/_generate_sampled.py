"""Several sampled queries for a question, all of the prompt that the initial query is written from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

import dspy

from sqlmend.modules._draw import Draw
from sqlmend.modules._gather import gather
from sqlmend.modules._generate import Generate
from sqlmend.modules.tree import Candidate, Path


class GenerateSampled(dspy.Module):
    """Writes one candidate for each draw of the initial prompt; concurrently on a served model.

    Args:
        max_tokens: Limit of an answer in tokens; None: the model's own.
    """

    def __init__(self, max_tokens: int | None = None) -> None:
        super().__init__()
        self.generate = Generate(max_tokens)

    def forward(
        self, schema: str, question: str, evidence: str = "", draws: Sequence[Draw] = ()
    ) -> dspy.Prediction:
        """Ask once for each draw.

        Args:
            schema: The schema as rendered.
            question: The question's text.
            evidence: Its evidence, may be empty.
            draws: Which sampled answers are asked for.

        Returns:
            A prediction with ``candidates``: ``Candidate``, labelled ``c1`` and so on in the order of the
            draws.

        Raises:
            SqlmendError: The prompt does not fit the model's context, or the model failed.
        """

        def write(number: int, draw: Draw) -> Candidate:
            written = self.generate(schema=schema, question=question, evidence=evidence, draw=draw)
            return Candidate(f"c{number}", Path(sql=written.sql))

        calls = [partial(write, number, draw) for number, draw in enumerate(draws, 1)]
        return dspy.Prediction(candidates=tuple(gather(calls)))
