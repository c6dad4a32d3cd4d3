"""The candidate that most of the others agree with."""

from __future__ import annotations

import re
from collections.abc import Sequence

import dspy

from sqlmend._text import for_prompt
from sqlmend.errors import SqlmendError
from sqlmend.modules._context import Asked, read_words, send
from sqlmend.modules._fit import OVERFLOW
from sqlmend.modules._limits import SQL_LIMIT
from sqlmend.modules._render_rules import render_outcomes
from sqlmend.modules.tree import Candidate

# A letter with nothing but a reason behind it, and one that an answer is said to be.
_FIRST = re.compile(
    r"^\W*(?:(?:(?i:the|best|better|right|correct|answer|query|option|candidate|choice|is))\b\W*)*"
    r"([AB])\s*(?:$|[.,:;]|(?i:because|as|since)\b)"
)
_SAID = re.compile(
    r"\b(?i:answer|choice|choose|prefer|select)\b\W*(?:(?i:is|query|option|candidate)\b\W*)*([AB])\b"
)


class JudgePair(dspy.Signature):
    """Say which of two queries answers a question."""

    database_schema: str = dspy.InputField(desc="the schema")
    evidence: str = dspy.InputField(desc="a hint of the benchmark, may be empty")
    question: str = dspy.InputField()
    first: str = dspy.InputField(desc="query A and its result")
    second: str = dspy.InputField(desc="query B and its result")
    better: str = dspy.OutputField(desc="A or B")


class Select(dspy.Module):
    """Selects by majority over result signatures, executable candidates first.

    Of equal groups the one with the earliest candidate wins, unless a judge decides.

    Args:
        judge: Ask the model, in one call, where the two largest groups differ by ``close`` votes or fewer.
        close: What counts as close.
        order: Section order of the judge's prompt.
    """

    def __init__(self, judge: bool = False, close: int = 1, order: str = "prefix") -> None:
        super().__init__()
        self.judge = judge
        self.close = close
        self.order = order
        self.predict = dspy.Predict(JudgePair, max_tokens=32)

    def forward(
        self, candidates: Sequence[Candidate], schema: str = "", question: str = "", evidence: str = ""
    ) -> dspy.Prediction:
        """Select one candidate.

        Args:
            candidates: The candidates with their results, at least one.
            schema: The schema as the judge sees it.
            question: The question's text.
            evidence: Its evidence, may be empty.

        Returns:
            A prediction with ``selected`` (``Candidate``), ``confidence`` (the share of all candidates that
            have its result, 0 where none runs) and ``agreed`` (labels of those candidates).
        """
        if not candidates:
            raise ValueError("candidates must hold at least one; got none")
        groups: dict[str, list[Candidate]] = {}
        for candidate in candidates:
            if candidate.result is not None and candidate.result.ok:
                groups.setdefault(candidate.result.signature, []).append(candidate)
        if not groups:
            return dspy.Prediction(selected=candidates[0], confidence=0.0, agreed=())
        ranked = sorted(groups.values(), key=lambda group: -len(group))  # stable: earliest first
        winner = ranked[0]
        if self.judge and len(ranked) > 1 and len(ranked[0]) - len(ranked[1]) <= self.close:
            winner = self._judged(ranked[0], ranked[1], schema, Asked(question, evidence))
        return dspy.Prediction(
            selected=winner[0],
            confidence=len(winner) / len(candidates),
            agreed=tuple(candidate.label for candidate in winner),
        )

    def _judged(
        self, one: list[Candidate], other: list[Candidate], schema: str, asked: Asked
    ) -> list[Candidate]:
        """The group that the judge prefers; the larger one where it says neither, or cannot be asked."""
        inputs = asked.inputs(schema)
        for name, group in (("first", one), ("second", other)):
            inputs[name] = for_prompt(render_outcomes(group[:1]).partition("] ")[2], 2 * SQL_LIMIT)
        try:
            answer = send(self.predict, "judge_pair", self.order, inputs, read_words)
        except SqlmendError as error:
            if error.code not in OVERFLOW:
                raise
            return one
        return other if read_choice(answer) == "B" else one


def read_choice(text: str) -> str:
    """``A`` or ``B``, as an answer says it first or alone; ``""`` where it says neither, or both."""
    plain = re.sub(r"[*_`\"'()<>\[\]]", " ", text).strip()
    if len(plain.strip(" .:")) == 1:
        plain = plain.upper()
    said = _FIRST.match(plain) or _SAID.search(plain)
    letters = set(re.findall(r"\b[AB]\b", plain))
    return said[1] if said else letters.pop() if len(letters) == 1 else ""
