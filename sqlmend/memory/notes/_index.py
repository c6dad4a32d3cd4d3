"""Refusals, found by gate and shape."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

from sqlmend.memory.notes._block import BLOCK, Block
from sqlmend.memory.notes._key import Key, shape_tokens
from sqlmend.memory.notes._note import Forgotten, Line, Refusal, Worked

_SLACK = 1e-9  # so that a product such as 5 * 0.8 is no more than 4


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

    def has_gate(self, backend: str, fingerprint: str) -> bool:
        """Whether anything was ever refused there."""
        return (backend, fingerprint) in self._gates

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

        A refusal says nothing of the shape that is known to have run in its place.
        Of equal overlap the very same shape comes first, then the shape that was refused for the first
        time last; of one shape the refusal that was recorded last.
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

    def _last(self, ids: Sequence[str]) -> Refusal | None:
        """The live refusal of these that was recorded last."""
        return next((self._live[note_id] for note_id in reversed(ids) if note_id in self._live), None)


class _Gate:
    """The shapes refused on one backend and schema.

    The token index is brought up to date when it is first needed: most look-ups are of the same shape.

    Attributes:
        ids: Ids of the refusals of each shape, in order.
    """

    def __init__(self) -> None:
        self.ids: dict[str, list[str]] = {}
        self._shapes: list[str] = []
        self._blocks: list[Block] = []
        self._indexed = 0

    def add(self, shape: str, note_id: str) -> None:
        """Take in one refusal."""
        known = self.ids.get(shape)
        if known is None:
            self.ids[shape] = [note_id]
            self._shapes.append(shape)
        else:
            known.append(note_id)

    def near(self, shape: str, threshold: float) -> Iterator[tuple[float, str]]:
        """Overlap and text of the shapes that are near enough: best first, of equal ones latest first."""
        self._index()
        tokens = shape_tokens(shape)
        n = len(tokens)
        wanted: dict[float, list[tuple[int, int]]] = {}
        for m in range(math.ceil(n * threshold - _SLACK), math.floor(n / threshold + _SLACK) + 1):
            for common in range(math.ceil(threshold * (n + m) / (1 + threshold) - _SLACK), min(n, m) + 1):
                score = common / (n + m - common)
                if score >= threshold:
                    wanted.setdefault(score, []).append((m, common))
        least = min((common for pairs in wanted.values() for _, common in pairs), default=1)
        counted = [
            (start, counts) for start, block in self._with_start() if (counts := block.count(tokens, least))
        ]
        for score in sorted(wanted, reverse=True):
            for start, counts in counted:
                for place in counts.places(wanted[score]):
                    yield score, self._shapes[start + place]

    def _with_start(self) -> Iterator[tuple[int, Block]]:
        """The blocks with the place of their first shape, latest first."""
        for number in reversed(range(len(self._blocks))):
            yield number * BLOCK, self._blocks[number]

    def _index(self) -> None:
        for place in range(self._indexed, len(self._shapes)):
            if place % BLOCK == 0:
                self._blocks.append(Block())
            self._blocks[-1].add(shape_tokens(self._shapes[place]))
        self._indexed = len(self._shapes)
