"""The file of a sink: appended to under a lock, read as it grows."""

from __future__ import annotations

import errno
import fcntl
import os
import stat
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

_MODE = 0o600
_LOCK_POLL_S = 0.01


class NotesFile:
    """One file of notes; several objects and processes may share it.

    Args:
        path: The file; it and its folder are created by the first append.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._read_from: tuple[int, int] | None = None
        self._offset = 0

    def append(self, lines: Iterable[str], *, timeout_s: float) -> None:
        """Append lines in one piece; on disk when this returns.

        An end that a crash has torn is set aside first. If not all can be written, nothing is.

        Args:
            lines: Without their line ends.
            timeout_s: How long to wait for others that write, in seconds.

        Raises:
            OSError: It cannot be written, or the lock did not come in time.
        """
        data = "".join(f"{line}\n" for line in lines).encode("ascii")
        with self._locked(timeout_s) as descriptor:
            size = self._cut_torn_end(descriptor)
            try:
                written = 0
                while written < len(data):
                    written += os.write(descriptor, data[written:])
                os.fsync(descriptor)
            except BaseException:
                os.ftruncate(descriptor, size)
                raise

    def rewrite(self, change: Callable[[list[bytes]], list[bytes]], *, timeout_s: float) -> None:
        """Replace the lines by what ``change`` makes of them, at once; others wait meanwhile.

        Args:
            change: From all lines, a torn end included, to those that stay.
            timeout_s: How long to wait for others that write, in seconds.

        Raises:
            OSError: As :meth:`append`.
        """
        with self._locked(timeout_s):
            lines = self.path.read_bytes().split(b"\n")
            kept = change(lines if lines[-1] else lines[:-1])
            handle, name = tempfile.mkstemp(dir=self.path.parent, prefix=f".{self.path.name}.")  # mode 0600
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(b"".join(line + b"\n" for line in kept))
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(self.path.resolve())
            except BaseException:
                with suppress(OSError):
                    Path(name).unlink()
                raise

    def set_aside(self, data: bytes) -> None:
        """Keep bytes that are about to leave the file, in a file beside it.

        Raises:
            OSError: They cannot be written.
        """
        descriptor = os.open(self.aside, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, _MODE)
        with os.fdopen(descriptor, "ab") as file:
            file.write(data.removesuffix(b"\n") + b"\n")

    @property
    def aside(self) -> Path:
        """Where lines are kept that could not be read."""
        return self.path.with_name(f".{self.path.name}.aside")

    def new_lines(self) -> tuple[bool, list[bytes]]:
        """What was appended since the last call, whole lines only, and whether this begins anew.

        A file that is missing, unreadable or no regular file has no lines.
        """
        try:
            found = self.path.stat()
        except OSError:
            return self._restart(None), []
        if not stat.S_ISREG(found.st_mode):
            return self._restart(None), []
        restarted = False
        if self._read_from != (found.st_dev, found.st_ino) or found.st_size < self._offset:
            restarted = self._restart((found.st_dev, found.st_ino))
        if found.st_size == self._offset:
            return restarted, []
        try:
            with self.path.open("rb") as file:
                file.seek(self._offset)
                data = file.read(found.st_size - self._offset)
        except OSError:
            return restarted, []
        end = data.rfind(b"\n") + 1
        self._offset += end
        return restarted, data[:end].split(b"\n")[:-1]

    def _restart(self, identity: tuple[int, int] | None) -> bool:
        """Forget what was read; returns whether there was anything."""
        before, self._read_from, self._offset = self._offset, identity, 0
        return before > 0

    @contextmanager
    def _locked(self, timeout_s: float) -> Iterator[int]:
        deadline = time.monotonic() + timeout_s
        while True:
            descriptor = self._open()
            try:
                _lock(descriptor, deadline)
                # Whoever rewrites the file replaces it: a lock on the old one protects nothing.
                if _same_file(descriptor, self.path):
                    yield descriptor
                    return
            finally:
                os.close(descriptor)

    def _open(self) -> int:
        flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK
        self.path.parent.mkdir(parents=True, exist_ok=True)
        descriptor = os.open(self.path, flags, _MODE)
        try:
            mode = os.fstat(descriptor).st_mode
            if not stat.S_ISREG(mode):
                raise OSError(errno.EINVAL, "is no regular file", str(self.path))
            if not mode & 0o222:  # root may write to it; whoever made it read-only did not want that
                raise PermissionError(errno.EACCES, "is read-only", str(self.path))
            if mode & 0o077:
                os.fchmod(descriptor, _MODE)
        except BaseException:
            os.close(descriptor)
            raise
        return descriptor

    def _cut_torn_end(self, descriptor: int) -> int:
        """Set aside what stands behind the last line end; returns the size that is left."""
        size = os.fstat(descriptor).st_size
        if size == 0 or os.pread(descriptor, 1, size - 1) == b"\n":
            return size
        start = size
        tail = b""
        while start and b"\n" not in tail:
            step = min(start, 1 << 16)
            start -= step
            tail = os.pread(descriptor, step, start) + tail
        torn = tail[tail.rfind(b"\n") + 1 :]
        self.set_aside(torn)
        os.ftruncate(descriptor, size - len(torn))
        return size - len(torn)


def _lock(descriptor: int, deadline: float) -> None:
    while True:
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= deadline:
                raise TimeoutError(errno.ETIMEDOUT, "is locked by another process") from None
            time.sleep(_LOCK_POLL_S)
        else:
            return


def _same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except OSError:
        return False
