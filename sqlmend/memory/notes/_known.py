"""What an object of notes knows: the lines of its file, and what it was told itself."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend.errors import InputError
from sqlmend.memory.notes._file import NotesFile
from sqlmend.memory.notes._index import NoteIndex
from sqlmend.memory.notes._note import Forgotten, Line, Refusal, parse_line


class Known:
    """The index over a file, over what waits to be written to it, and over what could not be written.

    Whoever uses it from several threads holds a lock.

    Args:
        file: The file.
        threshold: Of the index.
        capacity: So many refusals are known at most that could not be written: the file may be gone for good.

    Attributes:
        index: All of it, for look-ups.
    """

    def __init__(self, file: NotesFile, threshold: float, capacity: int) -> None:
        self.index = NoteIndex(threshold)
        self._file = file
        self._threshold = threshold
        self._capacity = capacity
        self._waiting: list[Line] = []
        self._unwritten: dict[str, list[Line]] = {}  # by id
        self._lost: set[Line] = set()  # of what could not be written, what was told already

    def refresh(self) -> None:
        """Read what the file has got since; what others have forgotten or removed is no more known."""
        anew, lines = self._file.new_lines()
        if anew:
            self.index = NoteIndex(self._threshold)
        for data in lines:
            try:
                line = parse_line(data)
            except InputError:
                continue  # `sqlmend notes check` tells of it
            self.index.apply(line)
            if isinstance(line, Refusal | Forgotten):
                self._drop(line.id)
        if anew:
            for lines_of_id in (*self._unwritten.values(), self._waiting):
                for line in lines_of_id:
                    self.index.apply(line)

    def tell(self, line: Line) -> None:
        """Take in a line of this object's own.

        It waits to be written if it says anything new. What could not be written waits again when it is
        said again: a repeated refusal must not be taken for one that the file has.
        """
        changed = self.index.apply(line)
        self._waiting += self._unwritten.pop(line.id, ())
        if changed:
            self._waiting.append(line)

    def take(self) -> list[Line]:
        """What waits to be written, which waits no longer."""
        lines, self._waiting = self._waiting, []
        return lines

    def written(self, lines: Sequence[Line]) -> None:
        """What was taken is in the file."""
        self._lost.difference_update(lines)

    def lose(self, lines: Sequence[Line]) -> int:
        """What was taken could not be written; returns of how many this was not known yet."""
        lost = set(lines) - self._lost
        self._lost |= lost
        self.keep_unwritten(lines)
        return len(lost)

    def keep_unwritten(self, lines: Sequence[Line]) -> None:
        """Know on what was taken and is not written."""
        for line in lines:
            self.index.apply(line)  # the file may have been read anew meanwhile
            self._unwritten.setdefault(line.id, []).append(line)
        while len(self._unwritten) > self._capacity:
            for line in self._drop(next(iter(self._unwritten))):
                if isinstance(line, Refusal):
                    self.index.apply(Forgotten(line.id))

    def _drop(self, note_id: str) -> list[Line]:
        dropped = self._unwritten.pop(note_id, [])
        self._lost.difference_update(dropped)
        return dropped
