"""Where a memory lies, and what lies beside it: nothing but logs is in the folder itself."""

from __future__ import annotations

from pathlib import Path

from sqlmend._files import append_line, clear_drafts, sha256_text
from sqlmend._home import cache_dir
from sqlmend.errors import InputError, unknown_name
from sqlmend.memory._kinds import KINDS


def memory_folder(path: Path | str) -> Path:
    """The memory of a run's folder, or ``path`` itself where it is a memory.

    Raises:
        InputError: Neither is one.
    """
    for folder in (Path(path) / "memory", Path(path)):
        if _is_memory(folder):
            return folder.resolve()
    raise InputError(
        "no_memory",
        f"no memory in {path}",
        hint="expected the folder of a run, or a folder with positive.jsonl and negative.jsonl",
    )


def log_file(folder: Path, kind: str) -> Path:
    """The log of one kind."""
    return folder / f"{kind}.jsonl"


def lock_file(folder: Path) -> Path:
    """Held by the one writer; beside the folder, so that equal memories are equal folders."""
    return folder.parent / f".{folder.name}.lock"


def aside_file(folder: Path) -> Path:
    """Lines that were taken out of a log, as JSONL of ``file``, ``line`` (its number) and ``text``."""
    return folder.parent / f".{folder.name}.aside"


def cached_indexes(folder: Path) -> Path:
    """Where the indexes of a memory lie that is only read, a folder for each embedder: in the user's cache.

    They hold texts of its entries.
    """
    return cache_dir("index", sha256_text(str(folder))[:16])


def set_aside(folder: Path, kind: str, number: int, data: bytes) -> None:
    """Keep a line that is about to leave its log, whatever bytes it holds."""
    text = data.decode("utf-8", "surrogateescape")
    append_line(aside_file(folder), {"file": log_file(folder, kind).name, "line": number, "text": text})


def check_folder(folder: Path) -> None:
    """Refuse what is no memory.

    Raises:
        InputError: No folder, one without a log, or one with a log of an unknown kind.
    """
    if not _is_memory(folder):
        raise InputError("no_memory", f"{folder} is no memory: it has no log of a known kind")
    for path in sorted(folder.glob("[!.]*.jsonl")):
        if path.stem not in KINDS:
            raise unknown_name("memory kind", path.stem, KINDS)


def make_folder(folder: Path) -> None:
    """Create an empty memory where there is nothing yet, and clear what a killed rewrite left.

    Raises:
        InputError: Something else is there, or it cannot be written.
    """
    try:
        if not _is_memory(folder):
            folder.mkdir(parents=True, exist_ok=True)
            if any(folder.iterdir()):
                raise InputError("no_memory", f"{folder} holds other files", hint="name a new folder")
        for kind in ("positive", "negative"):
            log_file(folder, kind).touch()
        for kind in KINDS:
            clear_drafts(log_file(folder, kind))
    except OSError as error:
        raise InputError("memory_not_writable", f"cannot write {folder}: {error.strerror}") from error


def new_folder(path: Path | str) -> Path:
    """A path where a new memory may be written whole: there is nothing yet, or an empty folder.

    Raises:
        InputError: Something is there.
    """
    target = Path(path).resolve()
    if target.exists() and (not target.is_dir() or any(target.iterdir())):
        raise InputError("exists", f"{target} holds something already", hint="name a new folder")
    return target


def _is_memory(folder: Path) -> bool:
    return any(log_file(folder, kind).exists() for kind in KINDS)
