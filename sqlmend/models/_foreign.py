"""Any ``dspy.LM`` of a user's own as a backend, so that it is memoised and counted like the others."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import dspy

from sqlmend._files import sha256_text
from sqlmend._text import address
from sqlmend.errors import InputError
from sqlmend.models._code import code_version
from sqlmend.models._errors import is_secret_name, secrets_of_address
from sqlmend.models._tokens import DEFAULT_WINDOW, estimate_tokens

if TYPE_CHECKING:
    from dspy.lm15 import Request, Response

#: What dspy itself keeps from a request.
_CLIENT_SETTINGS = (
    *("api_key", "api_base", "base_url", "headers", "extra_headers", "timeout", "api_version"),
    *("azure_ad_token_provider", "organization", "project", "extra_query", "custom_llm_provider"),
)
#: What else LiteLLM takes for the way to a provider, most of it credentials, or sends beside the request.
_WAY = re.compile(
    r"aws_|azure_|vertex_|watsonx_|sagemaker_|s3_|tenant_id$|client_(id|secret)$|region_name$|extra_body$"
)
_MAY_HOLD_SECRETS = ("headers", "extra_headers", "extra_query", "extra_body")


class ForeignBackend:
    """A backend that asks a ``dspy.LM``, whatever its engine.

    An engine object stands in the memo key with its class and the hash of the file that defines it, and
    with its ``identity`` mapping where it carries one (see ``Backend``).

    Args:
        lm: The language model; it keeps its connection, keys and retries. Settings that are LiteLLM's alone
            (``aws_...``, ``vertex_...``, ``extra_body``) are handed to it with every call, and stand in the
            memo key as a short hash, credentials not at all.
        made_by: Version of the code that made it.

    Raises:
        InputError: It has settings of LiteLLM's and an engine that does not take them.
    """

    def __init__(self, lm: dspy.LM, made_by: str | None = None) -> None:
        kwargs = lm.kwargs.items()
        self._way = {k: v for k, v in kwargs if _WAY.match(k) and k not in _CLIENT_SETTINGS and v is not None}
        if self._way and lm.engine == "lm15":
            raise InputError(
                "bad_lm", f"{lm.model}: only LiteLLM takes {', '.join(self._way)}", hint='engine="litellm"'
            )
        # With such settings dspy goes to LiteLLM by itself, but not for a request that lacks them.
        by = {"engine": "litellm"} if self._way and lm.engine == "auto" else {}
        self._lm = lm.copy(cache=False, **by)
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
            "endpoint": address(str(endpoint)) if endpoint else None,
            **self._way_hash(),
            **dict(getattr(engine, "identity", {})),
        }

    @property
    def context_window(self) -> int:
        """``DEFAULT_WINDOW``: nobody says."""
        return DEFAULT_WINDOW

    @property
    def settings(self) -> dict[str, Any]:
        """What of the model's settings goes with a request, as arguments of ``LanguageModel``."""
        kept = (*_CLIENT_SETTINGS, *self._way)
        settings = {k: v for k, v in self._lm.kwargs.items() if k not in kept}
        limit = settings.pop("max_completion_tokens", None)
        plain = {"temperature": None, "seed": None, "max_tokens": limit}
        return {**plain, **settings, "model_type": self._lm.model_type, "num_retries": 0}

    @property
    def secrets(self) -> tuple[str, ...]:
        """What was given to the model in code and no error may show."""
        given = self._lm.kwargs
        held = [given[name] for name in _MAY_HOLD_SECRETS if name in given]
        held += [value for name, value in given.items() if is_secret_name(name)]
        endpoint = given.get("api_base") or given.get("base_url")
        if endpoint:
            held.append(secrets_of_address(str(endpoint)))
        return tuple(_texts(held))

    def count_tokens(self, text: str) -> int:
        """An estimate that is rather too high."""
        return estimate_tokens(text)

    def complete(self, request: Request) -> Response:
        """Ask the language model, which retries by itself."""
        if self._way:
            told = {**(request.config.extensions or {}), **self._way}
            request = replace(request, config=replace(request.config, extensions=told))
        return self._lm(request)

    def _way_hash(self) -> dict[str, str]:
        """Tells ways apart that may be answered differently; too short to find a secret by."""
        way = {name: value for name, value in self._way.items() if not is_secret_name(name)}
        return {"way": sha256_text(json.dumps(way, sort_keys=True, default=str))[:8]} if way else {}


def _texts(value: Any) -> Iterator[str]:
    """Every text in a plain value."""
    if isinstance(value, Mapping):
        value = list(value.values())
    if isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
    elif isinstance(value, str):
        yield value
