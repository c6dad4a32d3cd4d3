"""Any endpoint that speaks OpenAI's embeddings call."""

from __future__ import annotations

import os
import time
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from sqlmend._text import address, cap
from sqlmend.errors import SqlmendError
from sqlmend.retrievers._embedders._base import BaseEmbedder

if TYPE_CHECKING:
    import httpx

_BATCH = 64
_TIMEOUT_S = 60.0
_WAITS_S = (1.0, 4.0)  # before a second and a third try, where the server may recover
_TOO_MANY_REQUESTS = 429


class OpenAIEmbedder(BaseEmbedder):
    """A served embedding model.

    The key is ``OPENAI_API_KEY`` of the environment, where there is one. The server's weights cannot
    be known: its name and address stand for them. What a server does with a text beyond its limit is
    its own affair; some cut it, some refuse it.

    It is called directly: LiteLLM takes seconds to import and prints to stdout when a call fails.

    Args:
        model: Name of the served model.
        url: Base URL, with ``/v1`` where the server has it.
    """

    def __init__(self, model: str, url: str) -> None:
        super().__init__()
        self._model = model
        self._url = url.rstrip("/")

    @property
    def name(self) -> str:
        """Model and address."""
        return f"openai:{self._model}@{address(self._url)}"

    @cached_property
    def dim(self) -> int:
        """Length of a vector, learnt from the server."""
        return len(self._call(["dimension"])[0])

    def _encode(self, texts: list[str]) -> NDArray[np.floating]:
        batches = [self._call(texts[start : start + _BATCH]) for start in range(0, len(texts), _BATCH)]
        return np.concatenate(batches)

    def _call(self, texts: list[str]) -> NDArray[np.floating]:
        answer = self._post({"model": self._model, "input": texts, "encoding_format": "float"})
        try:
            rows = sorted(answer["data"], key=lambda row: int(row["index"]))
            return np.array([row["embedding"] for row in rows], dtype=np.float64)
        except (KeyError, TypeError, ValueError) as error:
            raise self._failed(f"the answer has another form ({error!r})") from error

    def _post(self, body: dict[str, Any]) -> Any:
        import httpx

        key = os.environ.get("OPENAI_API_KEY")
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        problem = ""
        for wait in (*_WAITS_S, None):
            try:
                answer = self._client.post(f"{self._url}/embeddings", json=body, headers=headers)
                if answer.is_success:
                    return answer.json()
                problem = f"HTTP {answer.status_code}: {answer.text}"
                if answer.status_code != _TOO_MANY_REQUESTS and not answer.is_server_error:
                    break
            except (httpx.HTTPError, httpx.InvalidURL, ValueError) as error:
                problem = f"{type(error).__name__}: {error}"
            if wait is not None:
                time.sleep(wait)
        raise self._failed(problem.replace(key, "***") if key else problem)

    @cached_property
    def _client(self) -> httpx.Client:
        import httpx

        return httpx.Client(timeout=_TIMEOUT_S)

    def _failed(self, problem: str) -> SqlmendError:
        return SqlmendError(
            "embedding_failed",
            f"{self.name} gave no embeddings: {cap(problem, 500)}",
            hint="is the server up, and does it serve /embeddings for this model?",
        )
