"""What a language model needs of its backend, and the way of any foreign one into that."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from dspy.lm15 import Request, Response


class Backend(Protocol):
    """Sends one request to a model.

    Duties:
        1. ``complete`` makes one attempt. It raises errors of ``dspy.lm15`` (dspy retries the transient
           ones) or a ``SqlmendError``, which reaches the caller as it is.
        2. ``identity`` holds everything that can change an answer and is not in the request: engine and
           version, weights' hash or served name and endpoint, chat template. It holds no secret, is
           plain JSON, costs nothing to ask for twice, and does not load the model.
        3. ``count_tokens`` is exact or too high, never too low.
        4. ``context_window`` is the number of tokens that prompt and answer share.
    """

    @property
    def identity(self) -> Mapping[str, Any]:
        """What answers, for the memo key."""
        ...

    @property
    def context_window(self) -> int:
        """Tokens of prompt and answer together."""
        ...

    def complete(self, request: Request) -> Response:
        """One attempt at an answer."""
        ...

    def count_tokens(self, text: str) -> int:
        """Tokens of a text, exact or too high."""
        ...
