"""The adapter that sends our prompts byte for byte and reads the tagged answer."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import dspy

from sqlmend.databases import extract_sql
from sqlmend.modules._draw import Draw
from sqlmend.modules._prompt import Prompt


class TaggedAdapter(dspy.Adapter):
    """Renders one user message from a prompt and parses one tagged answer.

    No system message, no demonstrations, and no second call where parsing fails: an answer without
    a query is the empty statement, which the database refuses like any other failure.

    Args:
        prompt: The prompt that is sent.
        order: Name of its section order.
        read: Takes the one output from a completion.
    """

    def __init__(self, prompt: Prompt, order: str, read: Callable[[str], str]) -> None:
        super().__init__()
        self.prompt = prompt
        self.order = order
        self.read = read

    def format(self, signature: Any, demos: Any, inputs: Mapping[str, Any]) -> list[dict[str, Any]]:
        """One user message."""
        return [{"role": "user", "content": self.prompt.render(inputs, self.order)}]

    def parse(self, signature: Any, completion: str) -> dict[str, Any]:
        """The signature's one output, ``""`` where the answer holds none."""
        (output,) = signature.output_fields
        return {output: self.read(completion)}


def read_sql(completion: str) -> str:
    """The query of an answer, ``""`` where it holds none."""
    return extract_sql(completion) or ""


def predictor(signature: Any, max_tokens: int | None = None) -> Any:
    """The ``dspy.Predict`` of a signature.

    Args:
        signature: A class of ``dspy.Signature``.
        max_tokens: Limit of the answer in tokens; None: the model's own.
    """
    # A None among its settings would take the place of the model's own limit.
    return dspy.Predict(signature, **({} if max_tokens is None else {"max_tokens": max_tokens}))


def ask(
    predict: Any,
    prompt: Prompt,
    order: str,
    inputs: Mapping[str, str],
    draw: Draw | None = None,
    read: Callable[[str], str] = read_sql,
) -> str:
    """Send the prompt through ``predict`` to the language model in force and return its answer.

    Args:
        predict: The ``dspy.Predict`` of the signature that the inputs belong to; it has one output.
        prompt: The prompt that is sent.
        order: Name of its section order.
        inputs: Text by section name, safe to show.
        draw: A sampled answer; None: the language model's own settings.
        read: Takes the output from the completion; by default its query.

    Returns:
        The output, ``""`` where the answer holds none.
    """
    from dspy.utils.exceptions import AdapterParseError

    (output,) = predict.signature.output_fields
    with dspy.context(adapter=TaggedAdapter(prompt, order, read)):
        try:
            return str(predict(**inputs, config=draw.config if draw else {})[output])
        except AdapterParseError:
            # DSPy raises for an empty completion before it parses; to us that is an answer too.
            return ""
