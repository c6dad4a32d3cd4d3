"""Memories that travel: a clean copy out, an untrusted copy in."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlmend._files import canonical_json, write_atomic
from sqlmend.errors import InputError
from sqlmend.memory._folder import check_folder, log_file, make_folder, memory_folder, new_folder
from sqlmend.memory._kinds import KINDS
from sqlmend.memory._line import Record
from sqlmend.memory._log import Log, merge, read_log
from sqlmend.memory._memory import Memory
from sqlmend.memory._of_a_run import require_own

#: Caps on what is imported, in bytes: a line holds a schema and two statements, a log many lines.
MAX_LINE = 1 << 20
MAX_LOG = 256 << 20


@dataclass(frozen=True)
class Imported:
    """What an import did.

    Attributes:
        added: Records that are new here.
        present: Records that were here already.
        retired: Records that were forgotten here, and stay so.
    """

    added: int
    present: int
    retired: int


def export_memory(memory: Memory, folder: Path | str, *, kinds: Sequence[str] = tuple(KINDS)) -> int:
    """Write the live records into a new memory folder, complete or not at all.

    Args:
        memory: What to copy.
        folder: The new folder; it may be there if it is empty.
        kinds: Only records of these.

    Returns:
        How many records were written.

    Raises:
        InputError: The folder holds something, or cannot be written.
    """
    target = new_folder(folder)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=target.parent, prefix=f".{target.name}.") as draft:
            written = _write_logs(memory, Path(draft) / target.name, kinds)
            (Path(draft) / target.name).replace(target)
    except OSError as error:
        raise InputError("not_writable", f"cannot write {target}: {error.strerror}") from error
    return written


def _write_logs(memory: Memory, folder: Path, kinds: Sequence[str]) -> int:
    make_folder(folder)
    written = 0
    for kind in kinds:
        lines = [canonical_json(record.to_line()) for record in memory.records(kind)]
        if lines:
            write_atomic(log_file(folder, kind), "".join(f"{line}\n" for line in lines))
        written += len(lines)
    return written


def import_memory(memory: Memory, folder: Path | str, *, kinds: Sequence[str] = tuple(KINDS)) -> Imported:
    """Add the live records of another memory, at position -1; nothing is added unless all of it is sound.

    The other memory is untrusted: every line is checked, and lines and logs have a largest size.
    An import that a crash cut short is completed by doing it again.

    Args:
        memory: Where they go, open for writing.
        folder: The other memory; it is only read.
        kinds: Only records of these; logs of others are not looked at.

    Raises:
        InputError: No memory, damage or a torn end (with file and line), too large, or ``memory`` is
            open for reading.
    """
    return _add(memory, _sound(Path(folder), kinds))


def import_into(target: Path, source: Path, *, kinds: Sequence[str] = tuple(KINDS)) -> Imported:
    """Add the live records of another memory to one of one's own, see ``import_memory``.

    Args:
        target: A folder of a memory, or of one to be: it is made where nothing is there, once all of
            ``source`` is known to be sound.
        source: The other memory, or the run that it is of.
        kinds: Only records of these.

    Raises:
        InputError: See ``import_memory``; or the target is a run's or a study's.
    """
    live = _sound(memory_folder(source), kinds)
    require_own(target)
    folder = memory_folder(target) if target.is_dir() and any(target.iterdir()) else target
    with Memory(folder, write=True) as memory:
        return _add(memory, live)


def _sound(folder: Path, kinds: Sequence[str]) -> list[Record]:
    """The live records of an untrusted memory."""
    source = folder.resolve()
    check_folder(source)
    records, retired = merge([_read_untrusted(source, kind) for kind in kinds])
    return [record for record in records.values() if record.id not in retired]


def _add(memory: Memory, live: Sequence[Record]) -> Imported:
    before = {record.id for kind in KINDS for record in memory.records(kind)}
    kept = memory.adopt(live)
    added = sum(record.id not in before for record in kept)
    return Imported(added=added, present=len(kept) - added, retired=len(live) - len(kept))


def _read_untrusted(source: Path, kind: str) -> Log:
    path = log_file(source, kind)
    if path.exists():
        if not path.is_file():
            raise InputError("bad_import", f"{path} is no regular file")
        if path.stat().st_size > MAX_LOG:
            raise InputError("bad_import", f"{path} is larger than {MAX_LOG} bytes")
    log = read_log(source, kind, max_line=MAX_LINE)
    for damage in log.damage:
        raise damage.error()
    return log
