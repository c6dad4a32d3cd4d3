"""The worker's life: take away what it does not need, then answer until the parent hangs up."""

from __future__ import annotations

import _thread
import gc
import marshal
import os
import time
from typing import Any

from .confine import confine
from .limits import LENGTH
from .sandbox import Sandbox

#: One end of a socket pair, given as standard input.
_SOCKET = 0


def main(parent: int) -> None:
    """Say that the worker is ready, then answer requests of the process ``parent``."""
    confine()
    _thread.start_new_thread(_watch, (parent,))
    gc.disable()  # rows are tuples of plain values: nothing to collect
    sandbox = Sandbox()
    os.write(_SOCKET, b"\x01")
    while (request := _receive()) is not None:
        _send(sandbox.answer(request))


def _watch(parent: int) -> None:
    """End this process when its parent is gone, even in the middle of a statement."""
    while os.getppid() == parent:
        time.sleep(0.25)
    os._exit(1)


def _receive() -> tuple[Any, ...] | None:
    """The next request, or None when the parent hung up."""
    data = bytearray(os.read(_SOCKET, 1 << 16))
    while data and (len(data) < LENGTH.size or len(data) < LENGTH.size + LENGTH.unpack_from(data)[0]):
        more = os.read(_SOCKET, 1 << 20)
        if not more:
            return None
        data += more
    return marshal.loads(memoryview(data)[LENGTH.size :]) if data else None


def _send(reply: tuple[Any, ...]) -> None:
    body = marshal.dumps(reply)
    data = memoryview(LENGTH.pack(len(body)) + body)
    while data:
        data = data[os.write(_SOCKET, data) :]
