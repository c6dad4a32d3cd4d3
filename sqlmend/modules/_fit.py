"""Does a prompt fit the context of the language model?"""

from __future__ import annotations

from typing import Any

from sqlmend.errors import InputError, SqlmendError
from sqlmend.models import context_window, count_tokens

# What a chat template adds around one user message; generous.
_TEMPLATE_TOKENS = 64

#: Codes of a prompt that is longer than the context: by our own count, or as the model's server says it.
OVERFLOW = frozenset({"context_overflow", "lm_context"})


def fits(text: str, lm: Any, max_tokens: int | None = None) -> bool:
    """Whether ``text`` as the only message leaves room for the answer in the context of ``lm``.

    Args:
        text: The prompt.
        lm: The language model.
        max_tokens: Limit of the answer; None: the model's own.

    Raises:
        InputError: The answer's token limit alone fills the context.
    """
    limit = max_tokens or lm.kwargs.get("max_tokens") or 0
    room = context_window(lm) - int(limit) - _TEMPLATE_TOKENS
    if room <= 0:
        raise InputError(
            "no_room",
            f"an answer of {limit} tokens leaves no room for a prompt in a context of"
            f" {context_window(lm)} tokens",
            hint="lower max_tokens",
        )
    # A token is at least one byte: most prompts fit by their bytes, and no tokenizer is loaded.
    return len(text.encode("utf-8", "replace")) <= room or count_tokens(lm, text) <= room


def require_fit(text: str, lm: Any, max_tokens: int | None = None) -> None:
    """Raise where ``fits`` is false; the arguments are its.

    Raises:
        SqlmendError: With code ``context_overflow``.
    """
    if not fits(text, lm, max_tokens):
        raise SqlmendError(
            "context_overflow",
            f"the prompt has {count_tokens(lm, text)} tokens, which do not fit a context of"
            f" {context_window(lm)} tokens beside the answer",
            hint="use a model with a longer context",
        )
