"""A log as it lies on disk: good lines, damaged ones, and a torn end."""

from __future__ import annotations

import logging
import os
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

    @property
    def torn(self) -> Damage | None:
        """The torn end, None where there is none."""
        return next((damage for damage in self.damage if damage.torn), None)

    def refuse_damage(self) -> None:
        """Raise the first damage that is no torn end.

        Raises:
            InputError: With file and line.
        """
        for damage in self.damage:
            if not damage.torn:
                raise damage.error()

    def cut_torn_end(self) -> None:
        """Set a torn end aside, so that the next line starts a line."""
        torn = self.torn
        if torn is None:
            return
        set_aside(self.folder, self.kind, torn.number, torn.data)
        os.truncate(torn.file, sum(len(line.data) + 1 for line in self.lines))
        _logger.warning("%s line %d was torn and is set aside", torn.file, torn.number)

    def rewrite(self, keep: tuple[Line, ...]) -> None:
        """Replace the log by some of its lines, at once and byte for byte."""
        text = b"".join(line.data + b"\n" for line in keep).decode("utf-8")
        write_atomic(log_file(self.folder, self.kind), text)


def read_log(folder: Path, kind: str) -> Log:
    """Read and check one log; a missing one is empty.

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
