"""The language model that every program here talks to: a ``dspy.LM`` over a ``MemoEngine``."""

from __future__ import annotations

from typing import Any

import dspy
from dspy.utils.exceptions import LMError

from sqlmend.errors import InputError
from sqlmend.models._backend import Backend
from sqlmend.models._engine import MemoEngine, drawing
from sqlmend.models._errors import explain
from sqlmend.models._memo import Memo


class LanguageModel(dspy.LM):
    """A ``dspy.LM`` whose answers are memoised and counted, and whose errors are ``SqlmendError``.

    Retries of transient failures are dspy's (``num_retries``); dspy's own cache is off, because its key
    leaves out the endpoint and its hits count no tokens. A sampled draw of its own is
    ``lm.copy(rollout_id=1, temperature=0.7)``: the rollout id is the draw's index, is part of the memo
    key, and moves the seed. Greedy calls have one answer and therefore index 0, whatever the rollout id.

    Args:
        name: The model's name, as in ``dspy.LM``.
        backend: What sends a request to the model.
        memo: Where answers are kept; None pays for every call.
        temperature: 0 is greedy.
        max_tokens: Limit of an answer.
        seed: Seed of sampling; part of the memo key.
        num_retries: Further attempts after a transient failure.
        settings: Further settings of ``dspy.LM``.
    """

    def __init__(
        self,
        name: str,
        backend: Backend,
        memo: Memo | None = None,
        *,
        temperature: float = 0.0,
        max_tokens: int = 512,
        seed: int = 0,
        num_retries: int = 3,
        **settings: Any,
    ) -> None:
        super().__init__(
            name,
            engine=MemoEngine(backend, memo),
            cache=False,
            temperature=temperature,
            max_tokens=max_tokens,
            seed=seed,
            num_retries=num_retries,
            **settings,
        )

    #: A context window that is known without asking; None: the backend's.
    _window: int | None = None

    @property
    def backend(self) -> Backend:
        """What sends a request to the model."""
        backend: Backend = self.engine.backend
        return backend

    @property
    def memo(self) -> Memo | None:
        """Where answers are kept, None where every call is paid."""
        memo: Memo | None = self.engine.memo
        return memo

    def remembering(self, memo: Memo | None) -> LanguageModel:
        """The same model with another memo."""
        copied: LanguageModel = self.copy(engine=MemoEngine(self.backend, memo))
        return copied

    @property
    def context_window(self) -> int:
        """Tokens that a prompt and its answer may have together.

        Raises:
            SqlmendError: The model's server does not answer.
        """
        return self._window or self.backend.context_window

    def within(self, window: int) -> LanguageModel:
        """The same model with a context window that is known: its server is not asked for it."""
        copied: LanguageModel = self.copy()
        copied._window = window
        return copied

    def describe(self) -> dict[str, Any]:
        """What answers and how, as plain JSON values without a secret; equal where the answers are.

        Raises:
            SqlmendError: The model's server does not answer.
        """
        settings = {name: self.kwargs.get(name) for name in ("temperature", "max_tokens", "seed")}
        window = {"context_window": self.context_window}
        return {"name": self.model, **self.backend.identity, **settings, **window}

    def __call__(self, prompt: Any = None, *, messages: Any = None, **settings: Any) -> Any:
        """As ``dspy.LM``.

        Raises:
            SqlmendError: The call failed; only a code in ``PER_QUESTION`` says nothing about the next one.
        """
        draw = settings.get("rollout_id", self.kwargs.get("rollout_id")) or 0
        if isinstance(draw, bool) or not isinstance(draw, int) or draw < 0:
            raise InputError("bad_draw", f"rollout_id must be a whole number from 0, not {draw!r}")
        try:
            with drawing(draw):
                return super().__call__(prompt, messages=messages, **settings)
        except LMError as error:
            explained = explain(error, self.model, getattr(self.backend, "secrets", ()))
        # Outside the handler: what the engine raised may quote a request with its key.
        raise explained


def count_tokens(lm: dspy.LM, text: str) -> int:
    """Tokens of ``text`` for ``lm``: exact for a local model, otherwise an estimate, rather too high."""
    from sqlmend.models._tokens import estimate_tokens

    return lm.backend.count_tokens(text) if isinstance(lm, LanguageModel) else estimate_tokens(text)


def context_window(lm: dspy.LM) -> int:
    """Tokens that a prompt and its answer may have together for ``lm``.

    Raises:
        SqlmendError: The model's server does not answer.
    """
    from sqlmend.models._tokens import DEFAULT_WINDOW

    return lm.context_window if isinstance(lm, LanguageModel) else DEFAULT_WINDOW
