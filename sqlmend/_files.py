"""Files: canonical JSON, hashes, atomic replacement and durable appends."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import tempfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def canonical_json(value: Any) -> str:
    """One line of JSON that is equal for equal values: sorted keys, no spaces, ASCII only.

    ASCII keeps lone surrogates (undecodable database text) writable as UTF-8 and back.
    """
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def sha256_text(text: str) -> str:
    """Hex sha256 of text; lone surrogates count as what they are."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def sha256_file(path: Path) -> str:
    """Hex sha256 of a file's bytes, read in blocks."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(1 << 20):
            digest.update(block)
    return digest.hexdigest()


def write_atomic(path: Path, text: str) -> None:
    """Replace ``path`` by ``text`` at once: a reader sees the old or the new file, never a part.

    A link stays and its target is replaced. The new file is on disk when this returns.

    Raises:
        OSError: It is a folder or a device, or cannot be written.
    """
    path = path.resolve()
    if path.exists() and not path.is_file():
        raise FileExistsError(errno.EEXIST, "is no regular file", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=_draft_prefix(path))
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        Path(name).chmod(0o644)
        Path(name).replace(path)
        sync(path.parent)
    except BaseException:
        with contextlib.suppress(OSError):
            Path(name).unlink()
        raise


def sync(path: Path) -> None:
    """Wait for the disk to hold a file's bytes, or the names in a folder where its file system can tell.

    Raises:
        OSError: The disk has failed.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY)
    except PermissionError:  # one may write in a folder that one may not list
        return
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno != errno.EINVAL:
            raise
    finally:
        os.close(descriptor)


def is_draft(item: Path, file: Path) -> bool:
    """Whether ``item`` is what a kill inside :func:`write_atomic` leaves beside ``file``."""
    return item.name.startswith(_draft_prefix(file)) and item.is_file()


def clear_drafts(file: Path) -> None:
    """Delete what kills have left beside ``file``; only while no other process may be writing it."""
    for item in file.parent.iterdir():
        if is_draft(item, file):
            item.unlink()


def _draft_prefix(file: Path) -> str:
    return f".{file.name}."


def append_line(path: Path, record: Any, *, durable: bool = True) -> None:
    """Append one canonical JSON line in a single write; ``durable`` waits for the disk."""
    append_lines(path, [record], durable=durable)


def append_lines(path: Path, records: Iterable[Any], *, durable: bool = True) -> None:
    """Append canonical JSON lines in a single write; ``durable`` waits for the disk, once."""
    data = "".join(canonical_json(record) + "\n" for record in records).encode("ascii")
    new = durable and not path.exists()
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o644)
    try:
        written = 0
        while written < len(data):
            written += os.write(descriptor, data[written:])
        if durable:
            os.fsync(descriptor)
    finally:
        os.close(descriptor)
    if new:
        sync(path.parent)
