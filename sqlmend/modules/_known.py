"""What a prompt tells of a question that was answered wrongly, and how it is made to fit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import dspy

from sqlmend._text import for_prompt
from sqlmend.memory import Execution
from sqlmend.modules._adapter import ask
from sqlmend.modules._fit import fits, require_fit
from sqlmend.modules._limits import SQL_LIMIT
from sqlmend.modules._probe import Probe, render_probes
from sqlmend.modules._prompt import load_prompt
from sqlmend.modules._render import render_history

#: What a prompt is told of the attempts: ``none``: not even that there were any; ``verdict``: their SQL, and
#: that each is wrong; ``message``: also what the machine said of each.
Told = Literal["none", "verdict", "message"]


@dataclass(frozen=True)
class Known:
    """What is known of a question before its next query is written.

    Attributes:
        attempts: The attempts, each failed, oldest first.
        told: How much of them a prompt shows.
        probes: The looks at the database, oldest first.
        dropped_attempts: How many of the oldest attempts are left out.
        dropped_probes: How many of the oldest looks are left out.
    """

    attempts: Sequence[Execution] = ()
    told: Told = "message"
    probes: Sequence[Probe] = ()
    dropped_attempts: int = 0
    dropped_probes: int = 0

    def inputs(self) -> dict[str, str]:
        """The sections that show it, safe to show; ``""`` for those that are not."""
        attempts = self.attempts[self.dropped_attempts :]
        first = self.dropped_attempts + 1
        return {
            "wrong": _numbered(attempts, first) if self.told == "verdict" else "",
            "history": render_history(attempts, first) if self.told == "message" else "",
            "findings": render_probes(self.probes[self.dropped_probes :]),
        }

    def less(self) -> Known | None:
        """It without its oldest look, or else its oldest attempt; the last attempt stays: None then."""
        if self.dropped_probes < len(self.probes):
            return replace(self, dropped_probes=self.dropped_probes + 1)
        if self.told != "none" and self.dropped_attempts < len(self.attempts) - 1:
            return replace(self, dropped_attempts=self.dropped_attempts + 1)
        return None


def send_known(
    predict: Any, name: str, order: str, inputs: Mapping[str, str], known: Known, read: Any
) -> tuple[str, Known]:
    """Send the prompt of a name through ``predict`` with as much of what is known as fits.

    Returns:
        The output, and what was shown.

    Raises:
        SqlmendError: The prompt does not fit the model's context even so, or the model failed.
    """
    prompt = load_prompt(name)
    lm = predict.lm or dspy.settings.lm
    limit = predict.config.get("max_tokens")
    shown = known
    while True:
        sent = {**inputs, **shown.inputs()}
        text = prompt.render(sent, order)
        less = None if fits(text, lm, limit) else shown.less()
        if less is None:
            require_fit(text, lm, limit)
            return ask(predict, prompt, order, sent, read=read), shown
        shown = less


def _numbered(attempts: Sequence[Execution], first: int) -> str:
    return "\n".join(
        f"[{number}] {for_prompt(attempt.sql, SQL_LIMIT) or '(no query)'}"
        for number, attempt in enumerate(attempts, first)
    )
