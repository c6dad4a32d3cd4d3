"""Further processes on this machine that take part in a study."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sqlmend.errors import SqlmendError

_LAST = 2000


class Workers:
    """Started on entry, waited for on a good end, ended on a bad one.

    Each runs the same command and shares nothing but the storage, the memo and the folder, as one on
    another machine does. A worker that is killed leaves a trial that the others try again.

    Args:
        count: How many.
        arguments: The command's arguments.
        folder: Where their words go: ``worker<N>.log``.
    """

    def __init__(self, count: int, arguments: Sequence[str], folder: Path) -> None:
        self._count = count
        self._command = [sys.executable, "-m", "sqlmend", "tune", *arguments, "--worker"]
        self._folder = folder
        self._processes: list[subprocess.Popen[bytes]] = []

    def __enter__(self) -> Self:
        for number in range(1, self._count + 1):
            with self._log(number).open("wb") as log:
                self._processes.append(
                    subprocess.Popen(self._command, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
                )
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for process in self._processes:
            if error is not None:
                process.terminate()
            process.wait()
        if error is None:
            self.check()

    def check(self, *_: Any) -> None:
        """Raise what a worker failed with; one that was killed did not fail."""
        for number, process in enumerate(self._processes, 1):
            if (process.poll() or 0) > 0:
                said = self._log(number).read_text("utf-8", "replace")[-_LAST:].strip()
                raise SqlmendError(
                    "worker_failed",
                    f"worker {number} ended with {process.returncode}: {said}",
                    hint="go on with --resume when it is mended",
                )

    def _log(self, number: int) -> Path:
        return self._folder / f"worker{number}.log"
