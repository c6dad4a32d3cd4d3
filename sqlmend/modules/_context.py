"""What every prompt about a question shows, made safe in one place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import dspy

from sqlmend._text import for_prompt
from sqlmend.databases import extract_answer
from sqlmend.modules._adapter import ask
from sqlmend.modules._fit import require_fit
from sqlmend.modules._limits import EVIDENCE_LIMIT, QUESTION_LIMIT, SCHEMA_LIMIT
from sqlmend.modules._prompt import load_prompt


@dataclass(frozen=True)
class Asked:
    """A question as prompts show it.

    Attributes:
        question: Its text.
        evidence: Its evidence, may be empty.
    """

    question: str
    evidence: str = ""

    def inputs(self, schema: str) -> dict[str, str]:
        """The sections that show schema, evidence and question."""
        return {
            "database_schema": for_prompt(schema, SCHEMA_LIMIT),
            "evidence": for_prompt(self.evidence, EVIDENCE_LIMIT),
            "question": for_prompt(self.question, QUESTION_LIMIT),
        }


def read_whole(completion: str) -> str:
    """All of an answer."""
    return completion


def read_words(completion: str) -> str:
    """What an answer says between its tags, ``""`` for a word that means nothing."""
    said = extract_answer(completion)
    return "" if said.strip().strip(".").casefold() in ("none", "(none)", "nothing", "n/a") else said


def send(predict: Any, name: str, order: str, inputs: Mapping[str, str], read: Any) -> str:
    """Send the prompt of a name through ``predict``.

    Raises:
        SqlmendError: The prompt does not fit the model's context, or the model failed.
    """
    prompt = load_prompt(name)
    require_fit(prompt.render(inputs, order), predict.lm or dspy.settings.lm)
    return ask(predict, prompt, order, inputs, read=read)
