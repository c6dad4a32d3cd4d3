"""The adapter that sends our prompts byte for byte and reads the tagged answer."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import dspy

from sqlmend.databases import extract_sql
from sqlmend.modules._prompt import Prompt


class TaggedAdapter(dspy.Adapter):
    """Renders one user message from a prompt and parses one tagged query.

    No system message, no demonstrations, and no second call where parsing fails: an answer without
    a query is the empty statement, which the database refuses like any other failure.

    Args:
        prompt: The prompt that is sent.
        order: Name of its section order.
    """

    def __init__(self, prompt: Prompt, order: str) -> None:
        super().__init__()
        self.prompt = prompt
        self.order = order

    def format(self, signature: Any, demos: Any, inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
        """One user message."""
        return [{"role": "user", "content": self.prompt.render(inputs, self.order)}]

    def parse(self, signature: Any, completion: str) -> dict[str, Any]:
        """The query of the answer, ``""`` where it holds none."""
        return {"sql": extract_sql(completion) or ""}


def ask(predict: Any, prompt: Prompt, order: str, inputs: Mapping[str, str]) -> str:
    """Send the prompt through ``predict`` to the language model in force and return its query.

    Args:
        predict: The ``dspy.Predict`` of the signature that the inputs belong to.
        prompt: The prompt that is sent.
        order: Name of its section order.
        inputs: Text by section name, safe to show.

    Returns:
        One SQL text as the model wrote it, ``""`` where its answer holds none.
    """
    from dspy.utils.exceptions import AdapterParseError

    with dspy.context(adapter=TaggedAdapter(prompt, order)):
        try:
            return str(predict(**inputs).sql)
        except AdapterParseError:
            # DSPy raises for an empty completion before it parses; to us that is an answer too.
            return ""
