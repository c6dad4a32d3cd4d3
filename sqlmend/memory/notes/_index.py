"""Refusals, found by gate and shape."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from sqlmend.memory.notes._key import Key, shape_tokens
from sqlmend.memory.notes._note import Forgotten, Line, Refusal, Worked
from sqlmend.memory.notes._target import targets

if TYPE_CHECKING:
    from sqlmend.memory.notes._overlaps import Overlaps


class NoteIndex:
    """The live refusals of a file or a run, in the order in which they were recorded.

    Args:
        threshold: Smallest overlap of two shapes that counts as the same kind of statement, above 0 to 1.
    """

    def __init__(self, threshold: float) -> None:
        self._threshold = threshold
        self._live: dict[str, Refusal] = {}
        self._gates: dict[tuple[str, str], _Gate] = {}

    def __iter__(self) -> Iterator[Refusal]:
        """All live refusals, in order."""
        return iter(self._live.values())

    def __len__(self) -> int:
        return len(self._live)

    def apply(self, line: Line) -> bool:
        """Take in one line; returns whether it changed anything."""
        match line:
            case Refusal():
                if line.id in self._live:
                    return False
                self._live[line.id] = line
                gate = (line.key.backend, line.key.fingerprint)
                self._gates.setdefault(gate, _Gate()).add(line.key.shape, line.id)
                return True
            case Worked():
                known = self._live.get(line.id)
                if known is None or known.worked:  # the first one counts
                    return False
                self._live[line.id] = known.with_worked(line.shape)
                return True
            case Forgotten():
                return self._live.pop(line.id, None) is not None

    def find(self, key: Key) -> tuple[Refusal, float] | None:
        """The refusal that fits best, and its overlap; None where none reaches the threshold.

        The overlap is 1.0 for the very same shape alone. A refusal says nothing of the shape that is known to
        have run in its place. Of equal overlap the very same shape comes first, then the shape that was
        refused for the first time last; of one shape the refusal that was recorded last.
        """
        gate = self._gates.get((key.backend, key.fingerprint))
        if gate is None:
            return None
        if refusal := self._last(gate.ids.get(key.shape, ())):
            return refusal, 1.0
        for score, shape in gate.near(key.shape, self._threshold):
            refusal = self._last(gate.ids[shape])
            if refusal is not None and refusal.worked != key.shape:
                return refusal, score
        return None

    def replaced_by(self, key: Key) -> Refusal | None:
        """The refusal in whose place a statement ran, None where there is none or it knows one already.

        It is the one that the statement finds. One that writes must write to the same table in the same way:
        an ordinary write to another table corrects nothing, however near its text.
        """
        found = self.find(key)
        if found is None or found[0].worked or targets(found[0].key.shape) != targets(key.shape):
            return None
        return found[0]

    def _last(self, ids: Sequence[str]) -> Refusal | None:
        """The live refusal of these that was recorded last."""
        return next((self._live[note_id] for note_id in reversed(ids) if note_id in self._live), None)


class _Gate:
    """The shapes refused on one backend and schema.

    Their overlaps are indexed when they are first needed: most look-ups are of the same shape.

    Attributes:
        ids: Ids of the refusals of each shape, in order.
    """

    def __init__(self) -> None:
        self.ids: dict[str, list[str]] = {}
        self._shapes: list[str] = []
        self._overlaps: Overlaps | None = None

    def add(self, shape: str, note_id: str) -> None:
        """Take in one refusal."""
        known = self.ids.get(shape)
        if known is None:
            self.ids[shape] = [note_id]
            self._shapes.append(shape)
        else:
            known.append(note_id)

    def near(self, shape: str, threshold: float) -> Iterator[tuple[float, str]]:
        """Overlap and text of the other shapes that are near enough: best first, of equal ones latest first.

        The same tokens in another order count as if one of them differed.
        """
        if self._overlaps is None:
            from sqlmend.memory.notes._overlaps import Overlaps  # numpy is not needed before

            self._overlaps = Overlaps()
        for known in self._shapes[len(self._overlaps) :]:
            self._overlaps.add(shape_tokens(known))
        tokens = shape_tokens(shape)
        most = len(tokens) / (len(tokens) + 1)  # no other overlap below 1.0 is above it
        for score, number in self._overlaps.near(tokens, threshold):
            if self._shapes[number] != shape and min(score, most) >= threshold:
                yield min(score, most), self._shapes[number]
