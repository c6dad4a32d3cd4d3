"""Reusing what was computed for the beginning of an earlier prompt, without changing a bit of an answer."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from sqlmend.models._llama import Llama

# States kept beside the one in the slot: for so many databases whose questions alternate.
_MOST_STATES = 8


@dataclass(frozen=True)
class _State:
    name: str
    tokens: tuple[int, ...]


class PrefixReuse:
    """Chats over a loaded model; an answer depends on its prompt alone, not on what was asked before.

    What is computed for a token depends in its last bits on the tokens that are computed together with
    it, and a greedy answer may hang on a last bit. So a prompt is always computed in batches of the same
    size from its start, and an earlier prompt's state is reused up to the last such batch that both begin
    with: the remaining batches are then the same as in a computation from nothing.

    Args:
        llama: The model.
        batch: Tokens that it computes together.
    """

    def __init__(self, llama: Llama, batch: int) -> None:
        self.llama = llama
        self._batch = batch
        self._slot: tuple[int, ...] = ()
        self._kept: list[_State] = []
        self._names = map("state-{}".format, itertools.count())
        self._lock = threading.Lock()

    def chat(self, messages: Sequence[Mapping[str, str]], sampling: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to messages, or ``{"error": ...}``."""
        with self._lock:
            tokens = tuple(self.llama.chat_tokens(messages))
            body = {"messages": list(messages), **sampling}
            reusable = self._prepare(tokens)
            self._slot = ()
            reply = self.llama.chat({**body, "cache_prompt": reusable > 0})
            if "error" not in reply and _cached(reply) != reusable:
                # The engine built on something else than it was meant to: from nothing, then.
                reply = self.llama.chat({**body, "cache_prompt": False})
            if "error" not in reply:
                self._slot = tokens
            return reply

    def _prepare(self, tokens: tuple[int, ...]) -> int:
        """Make the slot hold the longest reusable beginning of ``tokens``; returns its length."""
        best = max(self._kept, key=lambda state: self._shared(state.tokens, tokens), default=None)
        here = self._shared(self._slot, tokens)
        there = self._shared(best.tokens, tokens) if best else 0
        if best and there > here:
            self._kept.append(self._kept.pop(self._kept.index(best)))  # used last, so not the one to go
        if 2 * max(here, there) < len(self._slot) or there > here:
            self._keep()
        if best and there > here:
            self.llama.restore(best.name)
        length = max(here, there)
        if length == 0:
            return 0
        # Cut the slot back to the beginning. The engine computes at least one token when asked to; it is
        # one that does not follow there, so that nothing after the beginning is reused.
        other = next((token for token in tokens if token != tokens[length]), None)
        if other is None or self.llama.evaluate([*tokens[:length], other]) != length:
            return 0
        return length

    def _shared(self, known: tuple[int, ...], tokens: tuple[int, ...]) -> int:
        """Tokens of the whole batches that both begin with; at least one token remains to be computed."""
        equal = 0
        for one, other in zip(known, tokens[:-1], strict=False):
            if one != other:
                break
            equal += 1
        return equal - equal % self._batch

    def _keep(self) -> None:
        """Keep the slot's state, unless a kept one begins with it; the least recently used one goes."""
        if len(self._slot) < self._batch or any(
            state.tokens[: len(self._slot)] == self._slot for state in self._kept
        ):
            return
        state = _State(next(self._names), self._slot)
        self.llama.save(state.name)
        self._kept.append(state)
        if len(self._kept) > _MOST_STATES:
            self.llama.discard(self._kept.pop(0).name)


def _cached(reply: Mapping[str, Any]) -> int:
    cached: int = reply["usage"]["prompt_tokens_details"]["cached_tokens"]
    return cached
