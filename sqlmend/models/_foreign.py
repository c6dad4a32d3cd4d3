"""Any ``dspy.LM`` of a user's own as a backend, so that it is memoised and counted like the others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import dspy

from sqlmend.models._code import code_version
from sqlmend.models._errors import redact
from sqlmend.models._tokens import DEFAULT_WINDOW, estimate_tokens

if TYPE_CHECKING:
    from dspy.lm15 import Request, Response

_CLIENT_SETTINGS = (
    *("api_key", "api_base", "base_url", "headers", "extra_headers", "timeout", "api_version"),
    *("azure_ad_token_provider", "organization", "project", "extra_query", "custom_llm_provider"),
)


class ForeignBackend:
    """A backend that asks a ``dspy.LM``, whatever its engine.

    An engine object stands in the memo key with its class and the hash of the file that defines it, and
    with its ``identity`` mapping where it carries one (see ``Backend``).

    Args:
        lm: The language model; it keeps its connection, keys and retries.
        made_by: Version of the code that made it.
    """

    def __init__(self, lm: dspy.LM, made_by: str | None = None) -> None:
        self._lm = lm.copy(cache=False)
        self._code = None if isinstance(lm.engine, str) else code_version(type(lm.engine))
        self._made_by = made_by

    @property
    def identity(self) -> Mapping[str, Any]:
        """Model, engine and endpoint, without keys."""
        engine, settings = self._lm.engine, self._lm.kwargs
        via = engine if isinstance(engine, str) else f"{type(engine).__module__}:{type(engine).__qualname__}"
        endpoint = settings.get("api_base") or settings.get("base_url")
        return {
            "engine": "dspy",
            "version": dspy.__version__,
            "via": via,
            "code": self._code,
            "made_by": self._made_by,
            "model": self._lm.model,
            "type": self._lm.model_type,
            "endpoint": redact(str(endpoint)) if endpoint else None,
            **dict(getattr(engine, "identity", {})),
        }

    @property
    def context_window(self) -> int:
        """``DEFAULT_WINDOW``: nobody says."""
        return DEFAULT_WINDOW

    @property
    def settings(self) -> dict[str, Any]:
        """What of the model's settings goes with a request, as arguments of ``LanguageModel``."""
        settings = {k: v for k, v in self._lm.kwargs.items() if k not in _CLIENT_SETTINGS}
        limit = settings.pop("max_completion_tokens", None)
        plain = {"temperature": None, "seed": None, "max_tokens": limit}
        return {**plain, **settings, "model_type": self._lm.model_type, "num_retries": 0}

    @property
    def secrets(self) -> tuple[str, ...]:
        """Keys that were given to the model in code, which no error may show."""
        key = self._lm.kwargs.get("api_key")
        return (str(key),) if key else ()

    def count_tokens(self, text: str) -> int:
        """An estimate that is rather too high."""
        return estimate_tokens(text)

    def complete(self, request: Request) -> Response:
        """Ask the language model, which retries by itself."""
        return self._lm(request)
