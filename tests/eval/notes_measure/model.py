"""A simulator in the place of a language model: it knows the scenarios, and heeds notes alone."""

from __future__ import annotations

from sqlmend.eval.notes_measure import Scenario, load_scenarios
from sqlmend.models import LanguageModel
from sqlmend.testing import scripted_lm


def scenario_of(prompt: str) -> Scenario:
    """The scenario whose task a prompt shows."""
    return next(scenario for scenario in load_scenarios() if f"<task>\n{scenario.task}\n</task>" in prompt)


def answer(prompt: str) -> str:
    """Naive at first and where nothing is said, off the task where warned, right where it has a note."""
    scenario = scenario_of(prompt)
    if "<note>" in prompt:
        return f"<answer>{scenario.good or 'BLOCKED: this backend cannot do it'}</answer>"
    if "Warning" in prompt:
        return f"Then rather:\n```sql\n{scenario.miss};\n```"
    return f"<answer>{scenario.naive}</answer>"


def make() -> LanguageModel:
    """The model for ``--lm``."""
    return scripted_lm(answer, name="measure-simulator")
