"""Does a prompt fit the context of the language model?"""

from __future__ import annotations

from typing import Any

from sqlmend.errors import InputError, SqlmendError
from sqlmend.models import context_window, count_tokens

# What a chat template adds around one user message; generous.
_TEMPLATE_TOKENS = 64


def fits(text: str, lm: Any) -> bool:
    """Whether ``text`` as the only message leaves room for the answer in the context of ``lm``.

    Raises:
        InputError: The answer's token limit alone fills the context.
    """
    room = context_window(lm) - int(lm.kwargs.get("max_tokens") or 0) - _TEMPLATE_TOKENS
    if room <= 0:
        raise InputError(
            "no_room",
            f"an answer of {lm.kwargs.get('max_tokens')} tokens leaves no room for a prompt in a context of"
            f" {context_window(lm)} tokens",
            hint="lower the model's max_tokens",
        )
    # A token is at least one byte: most prompts fit by their bytes, and no tokenizer is loaded.
    return len(text.encode("utf-8", "replace")) <= room or count_tokens(lm, text) <= room


def require_fit(text: str, lm: Any) -> None:
    """Raise where ``fits`` is false.

    Raises:
        SqlmendError: With code ``context_overflow``.
    """
    if not fits(text, lm):
        raise SqlmendError(
            "context_overflow",
            f"the prompt has {count_tokens(lm, text)} tokens, which do not fit a context of"
            f" {context_window(lm)} tokens beside the answer",
            hint="use a model with a longer context",
        )
