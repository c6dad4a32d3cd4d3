"""One worker process, seen from outside."""

from __future__ import annotations

import contextlib
import marshal
import os
import socket
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any, TypeVar

from sqlmend.databases._worker.limits import LENGTH
from sqlmend.errors import SqlmendError

_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from _worker.main import main; main(int(sys.argv[2]))"
_FOLDER = Path(__file__).parent
_START_S = 60.0
#: A worker stops at the deadline by itself, unless it sits in one long C call: then it is killed this late.
_GRACE_S = 0.25
_TRANSFER_S = 30.0
_Got = TypeVar("_Got", bytes, int)


class WorkerLate(Exception):
    """The deadline passed and the worker did not answer."""


class WorkerGone(Exception):
    """The worker ended instead of answering.

    Attributes:
        unread: It never read the request, so that asking another worker is safe.
    """

    def __init__(self, unread: bool) -> None:
        super().__init__(unread)
        self.unread = unread


class WorkerProcess:
    """A sandboxed worker: a program of its own, started and never forked from this process's memory.

    Replies are marshalled tuples of plain values: ``marshal`` runs no code on loading, both ends are the same
    interpreter, and the other end is our own program, which must be taken over before it sends anything else.
    """

    def __init__(self) -> None:
        ours, theirs = socket.socketpair()
        folder = tempfile.mkdtemp(prefix="sqlmend-")
        try:
            self._process: subprocess.Popen[bytes] = subprocess.Popen(
                [sys.executable, "-I", "-S", "-B", "-c", _PROGRAM, str(_FOLDER), str(os.getpid())],
                stdin=theirs.fileno(),
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                cwd=folder,
                env={},
                start_new_session=True,  # the terminal's Ctrl-C is the parent's business
            )
        except OSError as error:
            ours.close()
            raise SqlmendError("worker_start", f"the database worker does not start: {error}") from error
        finally:
            theirs.close()
            # The worker stays in the removed folder: empty, and nothing can be created in it.
            Path(folder).rmdir()
        self._socket = ours
        self._ready = False

    @property
    def pid(self) -> int:
        """The worker's process id."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """Whether the process still runs; one that has ended is reaped."""
        return self._process.poll() is None

    def call(self, request: tuple[Any, ...], limit_s: float) -> tuple[Any, ...]:
        """Send a request and wait for its reply.

        Args:
            request: Plain values, see ``_worker.sandbox.Sandbox.answer``.
            limit_s: Seconds from the moment the worker is ready.

        Raises:
            WorkerLate: No reply in time; the worker must be discarded.
            WorkerGone: The worker ended.
        """
        body = marshal.dumps(request)
        try:
            if not self._ready:
                self._await_start()
            deadline = time.monotonic() + limit_s + _GRACE_S
            self._socket.settimeout(limit_s + _GRACE_S)
            self._socket.sendall(LENGTH.pack(len(body)) + body)
            return self._reply(deadline)
        except TimeoutError as error:
            raise WorkerLate from error
        # A peer that closes with our request unread resets the connection; one that took it just ends.
        except (ConnectionResetError, BrokenPipeError) as error:
            raise WorkerGone(unread=True) from error
        except EOFError as error:
            raise WorkerGone(unread=False) from error

    def _await_start(self) -> None:
        self._socket.settimeout(_START_S)
        if not self._socket.recv(1):
            code = self._process.wait()
            if code < 0:
                raise WorkerGone(unread=True)
            raise SqlmendError(
                "worker_start",
                f"the database worker ended at its start with code {code}",
                hint=f"{sys.executable} -I -S must be able to import sqlite3 and resource",
            )
        self._ready = True

    def _reply(self, deadline: float) -> tuple[Any, ...]:
        data = bytearray()
        while len(data) < LENGTH.size:
            self._socket.settimeout(max(deadline - time.monotonic(), 0.001))
            data += self._received(self._socket.recv(1 << 16))
        (length,) = LENGTH.unpack_from(data)
        have = len(data) - LENGTH.size
        if have < length:
            data += bytes(length - have)
            view = memoryview(data)[LENGTH.size :]
            self._socket.settimeout(_TRANSFER_S)
            while have < length:
                have += self._received(self._socket.recv_into(view[have:]))
        reply: tuple[Any, ...] = marshal.loads(memoryview(data)[LENGTH.size :])
        return reply

    @staticmethod
    def _received(got: _Got) -> _Got:
        if not got:
            raise EOFError
        return got

    def end(self) -> None:
        """Kill the process and reap it; nothing of it is left."""
        self._socket.close()
        with contextlib.suppress(ProcessLookupError):
            self._process.kill()
        self._process.wait()

    def forget(self) -> None:
        """In a forked child: let go of the parent's worker without touching it."""
        self._socket.close()
        self._process.returncode = 0
