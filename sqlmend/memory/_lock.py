"""One writer at a time."""

from __future__ import annotations

import os
from pathlib import Path

from filelock import FileLock, Timeout

from sqlmend.errors import InputError
from sqlmend.memory._folder import lock_file


class WriterLock:
    """The right to write a memory, from construction to :meth:`close`.

    The lock is the operating system's: it ends with the process, however that ends. The file names
    the holder's process for the message that a second writer gets; its content means nothing else.

    Raises:
        InputError: Another ``Memory``, of this or another process, has it.
    """

    def __init__(self, folder: Path) -> None:
        path = lock_file(folder)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            self._lock = FileLock(path, thread_local=False)
            self._lock.acquire(timeout=0)
            path.write_text(f"{os.getpid()}\n", encoding="ascii")
        except Timeout:
            raise _held(folder, path) from None
        except OSError as error:
            raise InputError("memory_not_writable", f"cannot lock {folder}: {error.strerror}") from error

    def close(self) -> None:
        """Let others write; doing it twice is harmless."""
        self._lock.release()


def _held(folder: Path, path: Path) -> InputError:
    try:
        process = int(path.read_text(encoding="ascii"))
        holder = "this process" if process == os.getpid() else f"process {process}"
    except (OSError, ValueError):
        holder = "another process"
    return InputError(
        "memory_locked",
        f"{holder} is writing to the memory {folder}",
        hint="wait until it has ended, or use another folder",
    )
