"""Served models: every request goes through LiteLLM, by dspy's engine for it."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cached_property
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from sqlmend._text import address
from sqlmend.errors import InputError
from sqlmend.models._errors import redact, secrets_of_address
from sqlmend.models._served_window import served_window
from sqlmend.models._tokens import DEFAULT_WINDOW, estimate_tokens

if TYPE_CHECKING:
    from dspy.clients.engines import LiteLLMEngine
    from dspy.lm15 import Request, Response

_TIMEOUT_S = 600.0
#: What vLLM hands on to chat templates, which take one of the two names or none
#: (its documentation, "Reasoning Outputs").
_NO_THINKING = {"enable_thinking": False, "thinking": False}
#: Where LiteLLM looks for a provider's address, first name first; for any other in ``<PROVIDER>_API_BASE``.
_ADDRESSES = {
    "openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "text-completion-openai": ("OPENAI_BASE_URL", "OPENAI_API_BASE"),
    "anthropic": ("ANTHROPIC_API_BASE", "ANTHROPIC_BASE_URL"),
    "huggingface": ("HF_API_BASE", "HUGGINGFACE_API_BASE"),
    "featherless_ai": ("FEATHERLESS_AI_API_BASE", "FEATHERLESS_API_BASE"),
    "fireworks_ai": ("FIREWORKS_API_BASE",),
    "lambda_ai": ("LAMBDA_API_BASE",),
    "meta_llama": ("LLAMA_API_BASE",),
    "mistral": ("MISTRAL_AZURE_API_BASE", "MISTRAL_API_BASE"),
    "watsonx": ("WATSONX_API_BASE", "WATSONX_URL", "WX_URL", "WML_URL"),
    "datarobot": ("DATAROBOT_ENDPOINT",),
    "ollama_chat": ("OLLAMA_API_BASE",),
    "vertex_ai": ("VERTEXAI_API_BASE",),
    "ai21_chat": ("AI21_API_BASE",),
}


class ServedBackend:
    """A model behind an OpenAI-compatible server or a provider that LiteLLM knows.

    Nothing is imported or asked before the first paid call. API keys are LiteLLM's business: it takes
    them from the environment.

    Args:
        model: LiteLLM's name of the model, provider first: ``hosted_vllm/Qwen/Qwen2.5-7B-Instruct``.
        api_base: Address of the server; by default the one that LiteLLM finds in the environment, else
            the provider's own.
        thinking: False: a model behind vLLM (``hosted_vllm/``) is asked to answer without thinking first;
            any other is asked as it is.

    Raises:
        InputError: ``api_base`` is no http address.
    """

    def __init__(self, model: str, api_base: str | None = None, *, thinking: bool = True) -> None:
        if api_base is not None and not api_base.startswith(("http://", "https://")):
            raise InputError(
                "bad_api_base",
                f"{redact(api_base)!r} is no address of a server",
                hint="--api-base http://127.0.0.1:8000/v1",
            )
        self._model = model
        self._thinks = thinking or not model.startswith("hosted_vllm/")
        # Found here rather than by LiteLLM, so that what is asked is what the memo key names.
        self._api_base = api_base or _environments_address(model.partition("/")[0])

    @cached_property
    def identity(self) -> Mapping[str, Any]:
        """LiteLLM's version, the served name, the endpoint, and whether it was asked not to think."""
        return {
            "engine": "litellm",
            "version": version("litellm"),
            "model": self._model,
            "endpoint": address(self._api_base) if self._api_base else None,
            **({} if self._thinks else {"thinking": False}),
        }

    @cached_property
    def context_window(self) -> int:
        """What the server says (``max_model_len``), else LiteLLM's table, else ``DEFAULT_WINDOW``.

        Raises:
            InputError: LiteLLM does not know the provider.
            SqlmendError: The server does not answer.
        """
        name, key = self._provider()
        served = served_window(self._model, self._api_base, name, key) if self._api_base else None
        return served or self._listed_window() or DEFAULT_WINDOW

    @property
    def secrets(self) -> tuple[str, ...]:
        """What the address holds that no error may show."""
        return tuple(secrets_of_address(self._api_base or ""))

    def count_tokens(self, text: str) -> int:
        """An estimate that is rather too high."""
        return estimate_tokens(text)

    def complete(self, request: Request) -> Response:
        """Send the request, once."""
        from dspy import lm15

        if not request.config.temperature and request.config.seed is not None:
            # A greedy answer has no use for it, and not every provider takes one.
            request = replace(request, config=replace(request.config, seed=None))
        if not self._thinks:
            told = {**(request.config.extensions or {}), "chat_template_kwargs": _NO_THINKING}
            request = replace(request, config=replace(request.config, extensions=told))
        try:
            return self._engine.complete(request)
        except lm15.ServerError as error:
            # LiteLLM reports a server that is not there as one that failed with status 500.
            if any(isinstance(cause, OSError) for cause in _causes(error)):
                raise lm15.TransportError(error.message) from error
            raise

    @cached_property
    def _engine(self) -> LiteLLMEngine:
        from dspy.clients.engines import LiteLLMEngine

        self._provider()
        options = {"api_base": self._api_base} if self._api_base else {}
        return LiteLLMEngine(timeout=_TIMEOUT_S, **options)

    def _provider(self) -> tuple[str, str | None]:
        """The model's name for its provider, and the API key from the environment.

        Raises:
            InputError: LiteLLM does not know the provider, or has found an address that the memo key lacks.
        """
        litellm = _litellm()
        late = None if self._api_base else _environments_address(self._model.partition("/")[0])
        if late:  # it reads a .env file when it is imported
            raise InputError(
                "late_api_base",
                f"{self._model}: the address {address(late)} came after the model was named",
                hint="set it before (LiteLLM reads .env files later), or give --api-base",
            )
        try:
            name, _, key, _ = litellm.get_llm_provider(self._model, api_base=self._api_base)
        except litellm.exceptions.BadRequestError as error:
            raise InputError(
                "bad_lm",
                f"LiteLLM knows no provider of {self._model!r}",
                hint="for an OpenAI-compatible server: hosted_vllm/MODEL with --api-base",
                context={"model": self._model},
            ) from error
        return name, key

    def _listed_window(self) -> int | None:
        litellm = _litellm()
        try:
            window = litellm.get_model_info(self._model).get("max_input_tokens")
        except Exception:  # noqa: BLE001  its table's errors are of no documented kind
            return None
        return int(window) if window else None


def _environments_address(provider: str) -> str | None:
    names = _ADDRESSES.get(provider, (f"{provider.upper()}_API_BASE",))
    return next(filter(None, map(os.environ.get, names)), None)


def _litellm() -> Any:
    # Read when LiteLLM is imported: without it, it goes looking for its price list on the network.
    os.environ.setdefault("LITELLM_LOCAL_MODEL_COST_MAP", "True")
    from dspy.clients._litellm import get_litellm

    return get_litellm(feature="sqlmend")  # with telemetry and its own cache off


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    while error is not None:
        yield error
        error = error.__cause__ or error.__context__
