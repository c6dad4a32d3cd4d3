"""A simulator of a language model for streams on `mini`: no model, a function of the prompt alone.

It knows the references because it plays a model that sometimes gets them right. About 40 % of the
initial queries are right; a revision is right where a hash of the whole prompt says so, memories
included, so that a wrong recall changes the stream.
"""

from __future__ import annotations

import json
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any

from sqlmend.testing import scripted_lm

_QUESTION = re.compile(r"<question>\n(.*?)\n</question>", re.DOTALL)


@cache
def references() -> dict[str, str]:
    """Reference SQL by question text."""
    text = files("sqlmend.eval").joinpath("data", "mini", "questions.jsonl").read_text("utf-8")
    rows = [json.loads(line) for line in text.splitlines()]
    return {row["question"].strip(): row["SQL"] for row in rows}


def answer(prompt: str) -> str:
    """The simulated answer to a prompt of `Generate` or `Revise`."""
    found = _QUESTION.search(prompt)
    assert found, "the prompt shows no question"
    reference = references()[found[1].strip()]
    chance = int(sha256(prompt.encode()).hexdigest()[:8], 16) % 100
    share = 40 if "<history>" not in prompt else 30
    return f"<answer>{reference if chance < share else _broken(reference, chance)}</answer>"


def _broken(reference: str, chance: int) -> str:
    """A wrong query of one of several kinds, the same for the same reference and chance."""
    kinds = [
        f"SELECT no_such_column_{chance} FROM ({reference})",
        f"SELECT * FROM no_such_table_{chance}",
        f"SELEC {chance}",
        f"SELECT {chance}, 'wrong'",
        f"SELECT no_such_function_{chance}()",
        "",
    ]
    return kinds[chance % len(kinds)]


def make() -> Any:
    """For `--lm tests.simulator:make`."""
    return scripted_lm(answer, name="mini-simulator", context_window=32_000)
