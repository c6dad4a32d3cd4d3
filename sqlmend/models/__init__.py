"""Language models: served ones through LiteLLM, local ones through llama.cpp, all memoised and counted."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmend._lazy import lazy_exports
from sqlmend.models._errors import PER_QUESTION
from sqlmend.models._memo import Answer, Memo, memo_key
from sqlmend.models._meter import Call, Usage, meter, paying

if TYPE_CHECKING:
    from sqlmend.models._backend import Backend
    from sqlmend.models._lm import LanguageModel, context_window, count_tokens
    from sqlmend.models._load import as_language_model, load_lm

__all__ = [
    "PER_QUESTION",
    "Answer",
    "Backend",
    "Call",
    "LanguageModel",
    "Memo",
    "Usage",
    "as_language_model",
    "context_window",
    "count_tokens",
    "load_lm",
    "memo_key",
    "meter",
    "paying",
]

# These need dspy, which takes a second to import.
__getattr__ = lazy_exports(
    __name__,
    {
        "Backend": "_backend",
        "LanguageModel": "_lm",
        "context_window": "_lm",
        "count_tokens": "_lm",
        "as_language_model": "_load",
        "load_lm": "_load",
    },
)
