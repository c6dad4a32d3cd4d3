"""The engine under every language model here: memo first, backend second, all of it counted."""

from __future__ import annotations

import contextlib
import time
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

from sqlmend.models._memo import Answer, Memo, memo_key
from sqlmend.models._meter import Call, count, current_payer

if TYPE_CHECKING:
    from dspy.lm15 import Request, Response

    from sqlmend.models._backend import Backend

_DRAW: ContextVar[int] = ContextVar("sqlmend_draw", default=0)


@contextlib.contextmanager
def drawing(index: int) -> Iterator[None]:
    """Calls in the block are draw ``index`` of what they ask: dspy keeps its rollout id from engines."""
    token = _DRAW.set(index)
    try:
        yield
    finally:
        _DRAW.reset(token)


class MemoEngine:
    """A dspy engine that asks its backend only for what the memo does not hold.

    Args:
        backend: What sends a request to the model.
        memo: Where answers are kept; None pays for every call.
    """

    def __init__(self, backend: Backend, memo: Memo | None = None) -> None:
        self.backend = backend
        self.memo = memo

    def __deepcopy__(self, _: dict[int, Any]) -> MemoEngine:
        """Itself: copies of a program share their model, as dspy's contract of engines has it."""
        return self

    def complete(self, request: Request) -> Response:
        """The answer, from the memo or paid for and then in the memo; counted by every meter around."""
        from dspy.lm15 import Message, Response, TextPart
        from dspy.lm15 import Usage as Tokens

        started = time.perf_counter()
        draw = _DRAW.get() if request.config.temperature else 0
        asked = _asked(self.backend.identity, request, draw)
        key = memo_key(asked)
        answer, paid = self._answer(key, asked, request, draw)
        count(
            Call(
                key=key,
                paid=paid,
                prompt_tokens=answer.prompt_tokens,
                output_tokens=answer.output_tokens,
                cached_tokens=answer.cached_tokens,
                seconds=answer.seconds,
                waited=time.perf_counter() - started,
                cut_off=answer.finish_reason == "length",
            )
        )
        return Response(
            id=None,
            model=request.model,
            message=Message.assistant([TextPart(answer.text)]),
            finish_reason=answer.finish_reason,
            usage=Tokens(
                input_tokens=answer.prompt_tokens,
                output_tokens=answer.output_tokens,
                cache_read_tokens=answer.cached_tokens,
            ),
        )

    def _answer(self, key: str, asked: Mapping[str, Any], request: Request, draw: int) -> tuple[Answer, bool]:
        """The answer, and whether the run that pays here is the one that paid for it."""
        if self.memo is None:
            return self._pay(request, draw), True
        payer = current_payer()
        answer = self.memo.get(key)
        fresh = answer is None
        if answer is None:
            with self.memo.paying_for(key):
                answer = self.memo.get(key)  # another process may have paid while this one waited
                fresh = answer is None
                if answer is None:
                    answer = replace(self._pay(request, draw), payer=payer.token if payer else "")
                    self.memo.put(asked, answer)
        return answer, payer.settles(key, answer.payer) if payer else fresh

    def _pay(self, request: Request, draw: int) -> Answer:
        if draw:
            request = replace(request, config=replace(request.config, seed=(request.config.seed or 0) + draw))
        started = time.perf_counter()
        response = self.backend.complete(request)
        seconds = time.perf_counter() - started
        usage = response.usage
        return Answer(
            text="".join(part.text for part in response.message.parts if part.type == "text"),
            finish_reason=response.finish_reason,
            prompt_tokens=usage.input_tokens or 0,
            output_tokens=usage.output_tokens or 0,
            cached_tokens=usage.cache_read_tokens or 0,
            seconds=round(seconds, 6),
        )


def _asked(identity: Mapping[str, Any], request: Request, draw: int) -> dict[str, Any]:
    """Everything that an answer depends on, as plain values.

    Written out here rather than by dspy's own serialiser, so that a memo outlives a change of that.
    """
    from dspy import lm15

    parts = [part for message in request.messages for part in message.parts]
    if request.tools or any(part.type != "text" for part in parts):
        raise lm15.UnsupportedFeatureError("only text goes to a language model here: no tools, no media")
    messages = [{"role": m.role, "content": "".join(part.text for part in m.parts)} for m in request.messages]
    if request.system is not None:
        messages.insert(0, {"role": "system", "content": request.system})
    settings = {name: value for name, value in asdict(request.config).items() if value not in (None, ())}
    return {"engine": dict(identity), "messages": messages, "settings": settings, "draw": draw}
