"""The gate of the memory: first what needs no model, then the model."""

from __future__ import annotations

import re
from collections.abc import Sequence

import dspy

from sqlmend._text import cap, for_prompt
from sqlmend.databases import Database
from sqlmend.memory import Rule
from sqlmend.modules._context import read_words, send
from sqlmend.modules._limits import SCHEMA_LIMIT
from sqlmend.modules._render_rules import render_rules
from sqlmend.modules.contradictions import Facts
from sqlmend.modules.rules import Judged, check_rules

_REASON_LIMIT = 300
_MOST_KNOWN = 40
_NUMBERS = r"(?:rules?\b\W*)?(?P<numbers>\d{1,4}(?:[\])\s]*(?:,|and|&)[\[(\s]*\d{1,4})*)"
_VERDICT = r"(?P<verdict>keep|drop)(?:ped)?\b"
_NUMBER_FIRST = re.compile(
    rf"\W*{_NUMBERS}\W+(?:(?:this|the|it|rule|should|must|is|be|to)\s+)*{_VERDICT}\W*(?P<why>.*)$",
    re.IGNORECASE,
)
_VERDICT_FIRST = re.compile(rf"\W*{_VERDICT}\W*{_NUMBERS}\b\W*(?P<why>.*)$", re.IGNORECASE)


class JudgeRules(dspy.Signature):
    """Say which proposed rules are true and useful."""

    database_schema: str = dspy.InputField(desc="the schema in one of its views")
    known: str = dspy.InputField(desc="rules that are kept already, may be empty")
    proposed: str = dspy.InputField(desc="the rules, numbered")
    verdicts: str = dspy.OutputField(desc="a line each: number, keep or drop, why")


class FilterRules(dspy.Module):
    """Keeps the rules that schema, data, known rules and, where it is asked, the model let through.

    Args:
        model: Whether the model judges what the deterministic part lets through.
        bound: Whether rules must be bound to the schema.
        order: Section order of the prompt.
    """

    def __init__(self, model: bool = True, bound: bool = True, order: str = "prefix") -> None:
        super().__init__()
        self.model = model
        self.bound = bound
        self.order = order
        self.predict = dspy.Predict(JudgeRules, max_tokens=256)

    def forward(
        self,
        rules: Sequence[Rule],
        known: Sequence[Rule],
        database: Database,
        schema: str,
        facts: Facts | None = None,
    ) -> dspy.Prediction:
        """Judge the rules of one question.

        Args:
            rules: The proposed rules.
            known: Rules that are kept already.
            database: Whose schema and data they must fit.
            schema: The schema as the prompt shows it.
            facts: What this question has read of the database so far; None: nothing yet.

        Returns:
            A prediction with ``judged`` (``Judged``, in the order of the rules, reasons included) and
            ``kept`` (the rules that passed). What the model says nothing about is kept.

        Raises:
            SqlmendError: The prompt does not fit the model's context, or the model failed.
        """
        facts = facts or Facts(database)
        judged = check_rules(rules, known, database.schema(), facts, bound=self.bound)
        passed = [n for n, verdict in enumerate(judged) if verdict.kept]
        if self.model and passed:
            proposed = [judged[n].rule for n in passed]
            inputs = {
                "database_schema": for_prompt(schema, SCHEMA_LIMIT),
                "known": render_rules(list(known)[-_MOST_KNOWN:]),
                "proposed": render_rules(proposed),
            }
            answer = send(self.predict, "filter", self.order, inputs, read_words)
            for number, reason in read_drops(answer).items():
                if 0 < number <= len(passed):
                    place = passed[number - 1]
                    judged[place] = Judged(judged[place].rule, False, "model", cap(reason, _REASON_LIMIT))
        return dspy.Prediction(judged=tuple(judged), kept=tuple(v.rule for v in judged if v.kept))


def read_drops(text: str) -> dict[int, str]:
    """The numbers of the rules that an answer drops, with its reasons; the number or the verdict may lead."""
    found: dict[int, str] = {}
    for line in text.splitlines():
        match = _NUMBER_FIRST.match(line) or _VERDICT_FIRST.match(line)
        if match and match["verdict"].lower() == "drop":
            for number in re.findall(r"\d+", match["numbers"]):
                found.setdefault(int(number), match["why"].strip() or "the model gives no reason")
    return found
