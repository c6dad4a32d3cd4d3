"""llama.cpp in this process, by xllamacpp: loaded once for a file, quiet, reachable by nobody else."""

from __future__ import annotations

import http.client
import json
import os
import socket
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlmend._extras import require
from sqlmend.errors import InputError, SqlmendError
from sqlmend.models._stream import STREAMED, Streamed

#: Prompt tokens that are computed together, from the start of the prompt on (see ``PrefixReuse``).
BATCH = 32


class Llama:
    """A loaded model with one slot: what it computed last, and what may be built on.

    Args:
        path: The GGUF file.
        context: Tokens that a prompt and its answer share.

    Raises:
        InputError: xllamacpp is not installed.
        SqlmendError: llama.cpp cannot load the file (``weights_unloadable``).
    """

    def __init__(self, path: Path, context: int) -> None:
        xllamacpp = import_xllamacpp()
        # llama.cpp cannot be had without its own web server: that listens in a folder that only this user
        # can enter, and not on the network. Saved states lie there as well.
        self._folder = tempfile.TemporaryDirectory(prefix="sqlmend-")
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(path)
        parameters.hostnames = [str(Path(self._folder.name, "llama.sock"))]
        parameters.slot_save_path = f"{self._folder.name}/"
        parameters.n_ctx = context
        parameters.n_parallel = 1
        parameters.n_batch = parameters.n_ubatch = BATCH
        parameters.cache_ram_mib = 0  # it would choose by itself which state to build on
        parameters.fit_params = False  # no other context than the one asked for
        parameters.warmup = False
        parameters.verbosity = -1
        for cpu in (parameters.cpuparams, parameters.cpuparams_batch):
            cpu.n_threads = _cores()
        try:
            self._server = xllamacpp.Server(parameters)
        except RuntimeError as error:
            raise SqlmendError(
                "weights_unloadable",
                f"llama.cpp cannot load {path}",
                hint="is it a whole GGUF file, of a model that xllamacpp knows, and is there memory for it?",
                context={"path": str(path)},
            ) from error

    def chat(self, body: Mapping[str, Any]) -> dict[str, Any]:
        """The reply to an OpenAI chat body, or ``{"error": ...}``; stopped where it repeats itself."""
        answer = Streamed()
        self._server.handle_chat_completions({**body, **STREAMED}, answer.take)
        return answer.reply()

    def evaluate(self, tokens: Sequence[int]) -> int:
        """Make the slot hold ``tokens``; returns how many of them it held before."""
        body = {"prompt": list(tokens), "n_predict": 0, "cache_prompt": True, "temperature": 0}
        reply = self._server.handle_completions(body)
        cached: int = reply["usage"]["prompt_tokens_details"]["cached_tokens"]
        return cached

    def chat_tokens(self, messages: Sequence[Mapping[str, str]]) -> list[int]:
        """The tokens that ``chat`` makes of messages, by the model's own template."""
        prompt = self._post("/apply-template", {"messages": list(messages)})["prompt"]
        return self._tokens(prompt, add_special=True, parse_special=True)

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text``, without the chat template."""
        return len(self._tokens(text, add_special=False, parse_special=False))

    def save(self, name: str) -> None:
        """Keep the slot's state under a name."""
        self._post("/slots/0?action=save", {"filename": name})

    def restore(self, name: str) -> None:
        """Bring a kept state back into the slot."""
        self._post("/slots/0?action=restore", {"filename": name})

    def discard(self, name: str) -> None:
        """Forget a kept state."""
        Path(self._folder.name, name).unlink(missing_ok=True)

    def _tokens(self, text: str, **settings: bool) -> list[int]:
        tokens: list[int] = self._post("/tokenize", {"content": text, **settings})["tokens"]
        return tokens

    def _post(self, path: str, body: Mapping[str, Any]) -> Any:
        connection = _UnixConnection(self._server.listening_address.removeprefix("unix://"))
        try:
            connection.request("POST", path, json.dumps(body), {"Content-Type": "application/json"})
            reply = connection.getresponse()
            answer = json.loads(reply.read())
        finally:
            connection.close()
        if reply.status != http.client.OK:
            raise SqlmendError("lm_unexpected", f"llama.cpp refused {path}: {answer}")
        return answer


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a socket in the file system."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def import_xllamacpp() -> Any:
    """xllamacpp, or why it is not to be had.

    Raises:
        InputError: It is not installed, or cannot be loaded (``missing_extra``).
    """
    # Read when OpenMP is loaded. llama.cpp's threads meet after every step of a layer: when they spin there
    # while something else has a core, an answer takes several times as long.
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    try:
        return require("xllamacpp", extra="local")
    except ModuleNotFoundError:
        raise
    except ImportError as error:
        raise InputError(
            "missing_extra",
            f"xllamacpp cannot be loaded: {error}",
            hint="where libgomp is missing: apt install libgomp1",
        ) from error
