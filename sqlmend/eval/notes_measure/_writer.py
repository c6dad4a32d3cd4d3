"""The prompt of the measurement, and how its answer is read."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import dspy
import yaml

from sqlmend._files import sha256_text
from sqlmend._text import for_prompt
from sqlmend.databases import extract_answer, extract_sql
from sqlmend.eval.notes_measure._scenario import Scenario
from sqlmend.modules import Draw
from sqlmend.modules._adapter import ask
from sqlmend.modules._prompt import Prompt, Section

_MAX_TOKENS = 120
_DRAFT_LIMIT = 600
_NOTE_LIMIT = 1500
_BLOCKED = re.compile(r"\W*blocked\b", re.IGNORECASE)


class WriteStatement(dspy.Signature):
    """Write the statement that a task asks for, or say that it cannot be done."""

    database_schema: str = dspy.InputField(desc="CREATE TABLE statements")
    task: str = dspy.InputField()
    sqlite: str = dspy.InputField(desc="not empty where the backend is SQLite")
    document: str = dspy.InputField(desc="not empty where the backend is a document store")
    draft: str = dspy.InputField(desc="the statement on the table, may be empty")
    warning: str = dspy.InputField(desc="not empty: the draft failed before")
    note: str = dspy.InputField(desc="what is remembered of the draft's failure")
    answer: str = dspy.OutputField(desc="one statement")


@dataclass(frozen=True)
class Written:
    """A model's answer.

    Attributes:
        answer: Its text.
        sql: The statement in it, ``""`` where there is none.
        declined: Whether it says that the task cannot be done.
    """

    answer: str
    sql: str
    declined: bool


class Writer(dspy.Module):
    """Asks for one statement, sampled, with or without a draft and what is known of it."""

    def __init__(self) -> None:
        super().__init__()
        self.predict = dspy.Predict(WriteStatement, max_tokens=_MAX_TOKENS)

    def forward(
        self, scenario: Scenario, draw: Draw, draft: str = "", arm: str = "", note: str = ""
    ) -> Written:
        """Ask once.

        Args:
            scenario: What is asked.
            draw: Which sampled answer.
            draft: The statement on the table.
            arm: What is said of the draft, one of ``ARMS``; ``""`` where there is none.
            note: The note, for the arm that shows it.

        Raises:
            SqlmendError: The model failed.
        """
        inputs = {
            "database_schema": for_prompt(scenario.ddl),
            "task": for_prompt(scenario.task),
            "sqlite": "yes" if scenario.backend == "sqlite" else "",
            "document": "yes" if scenario.backend == "document" else "",
            "draft": for_prompt(draft, _DRAFT_LIMIT),
            "warning": "yes" if arm == "warning" else "",
            "note": for_prompt(note, _NOTE_LIMIT) if arm == "instruction" else "",
        }
        answer = ask(self.predict, _prompt(), "prefix", inputs, draw, read=str.strip)
        declined = bool(_BLOCKED.match(extract_answer(answer)))
        return Written(answer, "" if declined else extract_sql(answer) or "", declined)


def prompt_version() -> str:
    """Name of the prompt and hash of its words."""
    return f"{_prompt().version} sha256:{sha256_text(_text())}"


def _text() -> str:
    return files("sqlmend.eval.notes_measure").joinpath("prompt.yaml").read_text("utf-8")


@cache
def _prompt() -> Prompt:
    data: Mapping[str, Any] = yaml.safe_load(_text())
    sections = {name: Section(**section) for name, section in data["sections"].items()}
    return Prompt(data["version"], sections, {name: tuple(order) for name, order in data["orders"].items()})
