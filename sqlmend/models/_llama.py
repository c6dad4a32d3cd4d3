"""llama.cpp in this process, by xllamacpp: loaded once for a file, quiet, reachable by nobody else."""

from __future__ import annotations

import functools
import http.client
import json
import os
import socket
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlmend._extras import require
from sqlmend.errors import InputError, SqlmendError

# Prompts whose state is kept to start from, when questions of several databases alternate.
_PROMPT_CACHE_MIB = 512


@functools.cache
def load_llama(path: Path, context: int) -> Llama:
    """The engine over that file; a process loads it once, however many language models use it."""
    return Llama(path, context)


class Llama:
    """A loaded model: one slot, greedy or sampled chat, exact token counts.

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
        # can enter, and not on the network.
        self._folder = tempfile.TemporaryDirectory(prefix="sqlmend-")
        parameters = xllamacpp.CommonParams()
        parameters.model.path = str(path)
        parameters.hostnames = [str(Path(self._folder.name, "llama.sock"))]
        parameters.n_ctx = context
        parameters.n_parallel = 1
        parameters.cache_ram_mib = _PROMPT_CACHE_MIB
        parameters.fit_params = False  # no other context than the one asked for
        parameters.warmup = False
        parameters.verbosity = -1
        for cpu in (parameters.cpuparams, parameters.cpuparams_batch):
            cpu.n_threads = (
                len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
            )
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
        """The reply to an OpenAI chat body, or ``{"error": ...}``."""
        reply: dict[str, Any] = self._server.handle_chat_completions(dict(body))
        return reply

    def count_tokens(self, text: str) -> int:
        """Tokens of ``text``, without the chat template."""
        connection = _UnixConnection(self._server.listening_address.removeprefix("unix://"))
        try:
            body = json.dumps({"content": text})
            connection.request("POST", "/tokenize", body, {"Content-Type": "application/json"})
            return len(json.loads(connection.getresponse().read())["tokens"])
        finally:
            connection.close()


class _UnixConnection(http.client.HTTPConnection):
    """HTTP over a socket in the file system."""

    def __init__(self, path: str) -> None:
        super().__init__("localhost")
        self._path = path

    def connect(self) -> None:
        self.sock = socket.socket(socket.AF_UNIX)
        self.sock.connect(self._path)


def import_xllamacpp() -> Any:
    """xllamacpp, or why it is not to be had.

    Raises:
        InputError: It is not installed (``missing_extra``), or cannot be loaded.
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
