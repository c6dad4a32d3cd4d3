"""Looking a file of notes over, setting aside what cannot be read, and forgetting."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from sqlmend.errors import InputError
from sqlmend.memory.notes._file import NotesFile
from sqlmend.memory.notes._index import NoteIndex
from sqlmend.memory.notes._note import Forgotten, Line, Refusal, Worked, parse_line

_LOCK_S = 10.0


@dataclass(frozen=True)
class BadLine:
    """A line that cannot be read.

    Attributes:
        number: Of the line, from 1.
        message: What is wrong.
        torn: Whether it is an end that a crash may leave, and not damage.
    """

    number: int
    message: str
    torn: bool


@dataclass(frozen=True)
class NotesReport:
    """What is in a file of notes.

    Attributes:
        live: The refusals that can be looked up, in the order in which they were recorded.
        forgotten: How many were recorded and are forgotten.
        bad: Lines that cannot be read.
        fixed: Whether these were set aside.
    """

    live: tuple[Refusal, ...]
    forgotten: int
    bad: tuple[BadLine, ...]
    fixed: bool = False

    @property
    def ok(self) -> bool:
        """Whether every line can be read now."""
        return self.fixed or not self.bad


def read_notes(path: Path | str) -> NotesReport:
    """Read every line of a file of notes and check its id.

    Raises:
        InputError: There is no such file, it holds something else, or a newer version wrote it.
    """
    return _report(_existing(path).read_bytes().split(b"\n"))


def check_notes(path: Path | str, *, fix: bool = False) -> NotesReport:
    """As :func:`read_notes`; with ``fix`` lines that cannot be read are set aside, under the lock.

    They go into ``.<name>.aside`` beside the file.

    Raises:
        InputError: As ``read_notes``, or with ``fix`` it cannot be written.
    """
    if not fix:
        return read_notes(path)
    file = NotesFile(_existing(path))
    reports = []

    def good(lines: list[bytes]) -> list[bytes]:
        report = _report(lines)
        reports.append(report)
        bad = {line.number for line in report.bad}
        for number in sorted(bad):
            file.set_aside(lines[number - 1])
        return [line for number, line in enumerate(lines, 1) if line and number not in bad]

    with _explained(file.path):
        file.rewrite(good, timeout_s=_LOCK_S)
    (report,) = reports
    return NotesReport(report.live, report.forgotten, report.bad, fixed=True)


def forget_notes(path: Path | str, ids: Iterable[str], *, purge: bool = False) -> int:
    """Look refusals up no more, until they are recorded anew.

    Args:
        path: The file.
        ids: Whole ids of live refusals; with ``purge`` also of forgotten ones.
        purge: Remove their lines from the file, and what was set aside.

    Returns:
        How many were forgotten.

    Raises:
        InputError: There is no such file or id, or it cannot be written; nothing is changed then.
    """
    file = NotesFile(_existing(path))
    wanted = dict.fromkeys(ids)
    lines = [line for _, line in _parsed(file.path.read_bytes().split(b"\n")) if isinstance(line, Refusal)]
    known = {line.id for line in lines} if purge else {refusal.id for refusal in read_notes(path).live}
    if missing := [note_id for note_id in wanted if note_id not in known]:
        raise InputError(
            "unknown_note",
            f"no note {', '.join(missing)} in {file.path}",
            hint="ids are given whole; `sqlmend notes list` shows them",
        )
    with _explained(file.path):
        if purge:
            file.rewrite(lambda found: _without(found, set(wanted)), timeout_s=_LOCK_S)
            file.aside.unlink(missing_ok=True)
        else:
            file.append([Forgotten(note_id).to_line() for note_id in wanted], timeout_s=_LOCK_S)
    return len(wanted)


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError("not_writable", f"cannot write {path}: {error.strerror or error}") from error


def _existing(path: Path | str) -> Path:
    found = Path(path)
    if not found.is_file():
        of_memory = (found / "notes.jsonl").is_file()
        raise InputError(
            "no_notes",
            f"no file of notes at {found}",
            hint=f"it is a memory: sqlmend memory list {found} --kind notes"
            if of_memory
            else "it is written by FailureNotes(path)",
        )
    return found


def _report(lines: list[bytes]) -> NotesReport:
    index = NoteIndex(1.0)
    recorded: set[str] = set()
    bad = []
    for number, line in _parsed(lines):
        if isinstance(line, InputError):
            last = number == len(lines)
            bad.append(BadLine(number, "the line has no end" if last else line.message, torn=last))
            continue
        index.apply(line)
        if isinstance(line, Refusal):
            recorded.add(line.id)
    if bad and not recorded and len(bad) > 1:
        raise InputError("no_notes", "the file holds something else than notes", hint=bad[0].message)
    return NotesReport(tuple(index), len(recorded) - len(index), tuple(bad))


def _parsed(lines: list[bytes]) -> Iterator[tuple[int, Line | InputError]]:
    """Number and content of each line that is not empty."""
    for number, data in enumerate(lines, 1):
        if not data:
            continue
        try:
            yield number, parse_line(data, verify=True)
        except InputError as error:
            if error.code == "newer_format":
                raise
            yield number, error


def _without(lines: list[bytes], ids: set[str]) -> list[bytes]:
    """The lines that say nothing of these ids; what cannot be read stays."""
    named = {
        number
        for number, line in _parsed(lines)
        if isinstance(line, Refusal | Worked | Forgotten) and line.id in ids
    }
    return [line for number, line in enumerate(lines, 1) if line and number not in named]
