"""An answer of llama.cpp as it is written, put together to what it would be in one piece."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sqlmend.models._loop import Loop

#: What a chat body needs so that its chunks can be put together.
STREAMED = {"stream": True, "timings_per_token": True}


class Streamed:
    """Takes the chunks of one answer, and says when there is no need for more.

    An answer that has begun to repeat itself (see ``Loop``) is cut off there as it would be at its limit
    (``length``): the rest would be more of the same, for minutes.
    """

    def __init__(self) -> None:
        self._said: list[str] = []
        self._logprobs: list[Any] = []
        self._loop = Loop()
        self._finish_reason = "length"
        self._last: dict[str, Any] = {}

    def take(self, chunk: Mapping[str, Any]) -> bool:
        """The next chunk; True where the answer is to be stopped."""
        self._last.update((name, chunk[name]) for name in ("error", "timings") if name in chunk)
        looped = False
        for choice in chunk.get("choices", ()):
            self._finish_reason = choice["finish_reason"] or self._finish_reason
            self._logprobs += (choice.get("logprobs") or {}).get("content", ())
            if piece := choice["delta"].get("content"):
                self._said.append(piece)
                looped = self._loop.closed_by(piece)
        return looped

    def reply(self) -> dict[str, Any]:
        """The reply that one piece would have been, or ``{"error": ...}``."""
        if "error" in self._last:
            return {"error": self._last["error"]}
        counted = self._last["timings"]
        choice = {
            "message": {"content": "".join(self._said)},
            "logprobs": {"content": self._logprobs},
            "finish_reason": self._finish_reason,
        }
        usage = {
            "prompt_tokens": counted["cache_n"] + counted["prompt_n"],
            "completion_tokens": counted["predicted_n"],
            "prompt_tokens_details": {"cached_tokens": counted["cache_n"]},
        }
        return {"choices": [choice], "usage": usage}
