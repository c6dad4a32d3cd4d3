"""A log as it lies on disk: good lines, damaged ones, and a torn end."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from sqlmend._files import write_atomic
from sqlmend.errors import InputError
from sqlmend.memory._folder import log_file, set_aside
from sqlmend.memory._line import Record, Tombstone, parse_line

_logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class Line:
    """A good line: its number from 1, its bytes, and what it says."""

    number: int
    data: bytes
    item: Record | Tombstone


@dataclass(frozen=True)
class Damage:
    """A line that cannot be read.

    Attributes:
        file: Path of the log.
        number: Of the line, from 1.
        message: What is wrong.
        data: The line's bytes.
        torn: Whether it is an end that a crash may leave, and not damage.
    """

    file: Path
    number: int
    message: str
    data: bytes = field(repr=False)
    torn: bool = False

    def error(self) -> InputError:
        """The error with file and line."""
        return InputError(
            "damaged_memory",
            f"{self.file} line {self.number}: {self.message}",
            hint="`sqlmend memory check --fix` sets damaged lines aside",
            context={"file": str(self.file), "line": self.number},
        )


@dataclass(frozen=True)
class Log:
    """The content of one log.

    Attributes:
        folder: The memory.
        kind: Which log of it.
        lines: The good lines, in order.
        damage: The others, in order; a torn end is the last one.
    """

    folder: Path
    kind: str
    lines: tuple[Line, ...]
    damage: tuple[Damage, ...]

    def refuse_damage(self) -> None:
        """Raise the first damage that is no torn end.

        Raises:
            InputError: With file and line.
        """
        for damage in self.damage:
            if not damage.torn:
                raise damage.error()

    def mend(self) -> None:
        """Set aside what cannot be read, with a warning."""
        for damage in self.damage:
            set_aside(self.folder, self.kind, damage.number, damage.data)
            _logger.warning("%s line %d is set aside: %s", damage.file, damage.number, damage.message)
        if self.damage:
            self.rewrite(self.lines)

    def rewrite(self, keep: Iterable[Line]) -> None:
        """Replace the log by some of its lines, at once and byte for byte."""
        text = b"".join(line.data + b"\n" for line in keep).decode("utf-8")
        write_atomic(log_file(self.folder, self.kind), text)


def read_log(folder: Path, kind: str, *, max_line: int | None = None) -> Log:
    """Read and check one log; a missing one is empty.

    Args:
        folder: The memory.
        kind: Which log of it.
        max_line: A longer line, in bytes, counts as damaged and is not parsed.

    Raises:
        InputError: A line of a newer format, or a file that cannot be read.
    """
    path = log_file(folder, kind)
    try:
        *complete, rest = path.read_bytes().split(b"\n")
    except FileNotFoundError:
        return Log(folder, kind, (), ())
    except OSError as error:
        raise InputError("memory_unreadable", f"cannot read {path}: {error.strerror}") from error
    lines: list[Line] = []
    damage: list[Damage] = []
    for number, data in enumerate(complete, 1):
        if max_line is not None and len(data) > max_line:
            damage.append(Damage(path, number, f"longer than {max_line} bytes", data))
            continue
        try:
            lines.append(Line(number, data, parse_line(data, kind)))
        except InputError as error:
            if error.code == "newer_format":
                raise InputError(
                    error.code, f"{path} line {number}: {error.message}", hint=error.hint
                ) from None
            torn = error.code == "not_json" and number == len(complete) and not rest
            damage.append(Damage(path, number, error.message, data, torn))
    if rest:
        damage.append(Damage(path, len(complete) + 1, "the line has no end", rest, torn=True))
    return Log(folder, kind, tuple(lines), tuple(damage))


def merge(logs: Iterable[Log]) -> tuple[dict[str, Record], set[str]]:
    """All records by id, in the order of the logs, and the ids that a tombstone retires.

    Of a record that is there twice the first counts; a tombstone counts wherever it stands.
    """
    records: dict[str, Record] = {}
    retired: set[str] = set()
    for log in logs:
        present: dict[str, str] = {}
        for line in log.lines:
            if isinstance(line.item, Record):
                records.setdefault(line.item.id, line.item)
                present[line.item.stored_id] = line.item.id
            else:
                retired.add(present.get(line.item.id, line.item.id))
    return records, retired
