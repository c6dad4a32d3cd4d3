"""Noticing that an answer says the same again and again, which a greedy model does not get out of."""

from __future__ import annotations

#: Pieces of the longest pattern that is noticed.
LONGEST = 128
#: How many times in a row a pattern is said, and how many pieces that is at least.
TIMES, PIECES = 4, 128


class Loop:
    """Told an answer piece by piece, says when its end is one pattern over and over.

    A served model's own setting of this kind is vLLM's ``repetition_detection``.
    """

    def __init__(self) -> None:
        self._said: list[str] = []
        # For each length of a pattern: how many of the last pieces are what was said one pattern before.
        self._agreeing = [0] * (LONGEST + 1)

    def closed_by(self, piece: str) -> bool:
        """Take the next piece; True where the answer now ends in a pattern that was said often enough."""
        closed = False
        for size in range(1, min(LONGEST, len(self._said)) + 1):
            self._agreeing[size] = self._agreeing[size] + 1 if self._said[-size] == piece else 0
            closed = closed or self._agreeing[size] + size >= max(PIECES, TIMES * size)
        self._said.append(piece)
        return closed
