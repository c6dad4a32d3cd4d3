"""A simulator in the place of a language model: answers come from a function, the same at every run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from sqlmend.models import LanguageModel, Memo
from sqlmend.models._code import code_version
from sqlmend.models._tokens import estimate_tokens

if TYPE_CHECKING:
    from dspy.lm15 import Request, Response


class ScriptedEngine:
    """A backend that computes its answers: a simulator, no language model.

    Args:
        answer: Prompt to answer, a function of the prompt alone. What it raises of ``SqlmendError`` or
            ``dspy.lm15`` errors reaches the caller as a real backend's would.
        name: Stands in the memo key for what ``answer`` computes, with the hash of the file that defines it:
            two functions of one file that share a memo need two names.
        context_window: Tokens that prompt and answer share; a longer prompt is refused as by a real model.

    As by a real model, an answer beyond the limit asked for is cut off (by the same estimate of tokens).
    """

    def __init__(
        self, answer: Callable[[str], str], *, name: str = "scripted", context_window: int = 8192
    ) -> None:
        self._answer = answer
        self._name = name
        self._context_window = context_window
        self._code = code_version(answer)

    @property
    def identity(self) -> Mapping[str, Any]:
        """The simulator's name and code."""
        return {"engine": "scripted", "name": self._name, "code": self._code}

    @property
    def context_window(self) -> int:
        """Tokens that prompt and answer share."""
        return self._context_window

    def count_tokens(self, text: str) -> int:
        """The estimate that served models get."""
        return estimate_tokens(text)

    def complete(self, request: Request) -> Response:
        """The computed answer, with the estimate of its tokens as usage."""
        from dspy import lm15

        prompt = "\n".join(message.text or "" for message in request.messages)
        tokens = self.count_tokens(prompt)
        if tokens >= self._context_window:
            raise lm15.ContextLengthError(f"{tokens} tokens in a context of {self._context_window}")
        text = self._answer(prompt)
        said, limit = self.count_tokens(text), request.config.max_tokens
        cut_off = limit is not None and said > limit
        if cut_off:
            text = text[: len(text) * limit // said]
        return lm15.Response(
            id=None,
            model=request.model,
            message=lm15.Message.assistant([lm15.TextPart(text)]),
            finish_reason="length" if cut_off else "stop",
            usage=lm15.Usage(input_tokens=tokens, output_tokens=self.count_tokens(text)),
        )


def scripted_lm(
    answer: Callable[[str], str],
    *,
    name: str = "scripted",
    memo: Memo | None = None,
    context_window: int = 8192,
    **settings: Any,
) -> LanguageModel:
    """A language model that answers by a function (see ``ScriptedEngine``).

    Args:
        answer: Prompt to answer.
        name: The model's name and its identity in the memo.
        memo: Where answers are kept; None computes every call.
        context_window: Tokens that prompt and answer share.
        settings: Settings of ``LanguageModel``.
    """
    engine = ScriptedEngine(answer, name=name, context_window=context_window)
    return LanguageModel(name, engine, memo, **settings)
