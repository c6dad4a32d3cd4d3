"""Further processes on this machine that take part in a study."""

from __future__ import annotations

import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, NoReturn, Self

from sqlmend.cli._frame import say

_LAST = 2000


class Workers:
    """Started on entry, waited for on a good end, ended on a bad one and when this process is to end.

    Each runs the same command and shares nothing but the storage, the memo and the folder, as one on
    another machine does. A worker that is killed or fails leaves a trial that the others try again; what it
    failed with is told, and the study goes on without it.

    Args:
        count: How many.
        arguments: The command's arguments.
        folder: Where their words go: ``worker<N>.log``.
    """

    def __init__(self, count: int, arguments: Sequence[str], folder: Path) -> None:
        self._count = count
        self._command = [sys.executable, "-m", "sqlmend", "tune", *arguments, "--worker"]
        self._folder = folder
        self._processes: dict[int, subprocess.Popen[bytes]] = {}
        self._told: set[int] = set()
        self._handler: Any = None

    def __enter__(self) -> Self:
        if self._count and threading.current_thread() is threading.main_thread():
            # Unhandled, it ends this process alone: the workers would go on, and pay.
            self._handler = signal.signal(signal.SIGTERM, _stop)
        for number in range(1, self._count + 1):
            with self._log(number).open("wb") as log:
                self._processes[number] = subprocess.Popen(
                    self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log
                )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            for process in self._processes.values():
                if error is not None:
                    process.terminate()
                process.wait()
        except BaseException:  # told to end while it waited
            for process in self._processes.values():
                process.terminate()
            raise
        finally:
            if self._handler is not None:
                signal.signal(signal.SIGTERM, self._handler)
        if error is None:
            self.check()

    def check(self, *_: Any) -> None:
        """Tell once of each worker that failed; one that was killed did not fail."""
        for number, process in self._processes.items():
            if (process.poll() or 0) > 0 and number not in self._told:
                self._told.add(number)
                said = self._log(number).read_text("utf-8", "replace")[-_LAST:].strip()
                say(f"warning: worker {number} ended with {process.returncode}, the others go on: {said}")

    def _log(self, number: int) -> Path:
        return self._folder / f"worker{number}.log"


def _stop(number: int, _: Any) -> NoReturn:
    raise SystemExit(128 + number)
