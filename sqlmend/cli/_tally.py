"""Scores of a stream's episodes, counted as they come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any


class Tally:
    """Counts episodes by position: what failed last may run again on a resume, and counts once.

    Attributes:
        before: Right initial queries.
        after: Right last queries.
    """

    def __init__(self) -> None:
        self.before = self.after = 0
        self._scores: dict[int, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self._scores)

    def count(self, record: Mapping[str, Any]) -> None:
        """Count an episode in the place of an earlier one of its position."""
        before, after = self._scores.get(record["position"], (0, 0))
        self._scores[record["position"]] = new = record["score_before"], record["score_after"]
        self.before += new[0] - before
        self.after += new[1] - after
