"""Local models: a backend over llama.cpp in this process."""

from __future__ import annotations

import functools
import threading
from collections.abc import Mapping
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend._extras import require
from sqlmend.models._llama import BATCH, Llama
from sqlmend.models._prefix import PrefixReuse
from sqlmend.models._weights_file import OwnWeights, PinnedWeights

if TYPE_CHECKING:
    from dspy.lm15 import Config, Request, Response

_CONTEXT = 8192
_loading = threading.Lock()


class LocalBackend:
    """A GGUF model in this process; loaded at the first paid call, 8,192 tokens of context.

    The common beginning of a prompt with an earlier one is not computed again, which is most of it where the
    schema comes first; the answers are the same to the byte as if it were (see ``PrefixReuse``).

    Args:
        weights: The file.

    Attributes:
        bit_stable: The same prompt gets the same answer again, to the bit.

    Raises:
        InputError: xllamacpp is not installed.
    """

    bit_stable = True

    def __init__(self, weights: PinnedWeights | OwnWeights) -> None:
        if find_spec("xllamacpp") is None:
            require("xllamacpp", extra="local")
        self._weights = weights

    @property
    def identity(self) -> Mapping[str, Any]:
        """The engine's version and the weights, whose file holds the chat template as well."""
        return {"engine": "llama.cpp", "version": version("xllamacpp"), "weights": self._weights.sha256}

    @property
    def context_window(self) -> int:
        """Tokens of prompt and answer together."""
        return _CONTEXT

    def count_tokens(self, text: str) -> int:
        """Exact, by the model's own tokenizer; loads the model."""
        return self._loaded.llama.count_tokens(text)

    def complete(self, request: Request) -> Response:
        """One answer, computed here."""
        from dspy import lm15

        messages = [{"role": m.role, "content": m.text or ""} for m in request.messages]
        if request.system:
            messages.insert(0, {"role": "system", "content": str(request.system)})
        reply = self._loaded.chat(messages, _sampling(request.config))
        if "error" in reply:
            error = reply["error"]
            if error.get("type") == "exceed_context_size_error":
                raise lm15.ContextLengthError(error["message"])
            raise lm15.InvalidRequestError(error.get("message", ""))
        (choice,) = reply["choices"]
        usage = reply["usage"]
        return lm15.Response(
            id=None,
            model=request.model,
            message=lm15.Message.assistant([lm15.TextPart(choice["message"]["content"] or "")]),
            finish_reason=choice["finish_reason"],
            usage=lm15.Usage(
                input_tokens=usage["prompt_tokens"],
                output_tokens=usage["completion_tokens"],
                cache_read_tokens=usage["prompt_tokens_details"]["cached_tokens"],
            ),
        )

    @property
    def _loaded(self) -> PrefixReuse:
        with _loading:  # two threads at once would load it twice
            return load(self._weights.open())


@functools.cache
def load(path: Path) -> PrefixReuse:
    """The model in that file; a process loads it once, however many language models use it."""
    return PrefixReuse(Llama(path, _CONTEXT), BATCH)


def _sampling(config: Config) -> dict[str, Any]:
    """The settings of a request; llama.cpp's own defaults would cut the distribution unasked."""
    return {
        "max_tokens": config.max_tokens,
        "temperature": config.temperature or 0.0,
        "top_p": 1.0 if config.top_p is None else config.top_p,
        "top_k": config.top_k or 0,
        "min_p": 0.0,
        "frequency_penalty": config.frequency_penalty or 0.0,
        "presence_penalty": config.presence_penalty or 0.0,
        "seed": config.seed or 0,
        "stop": list(config.stop),
    }
