"""The streams of a comparison: one ordinary run each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sqlmend.eval.comparison._contenders import Contender, SameGroup


@dataclass(frozen=True)
class StreamId:
    """One stream of a comparison.

    Attributes:
        program: Key of the program.
        same_group: Whether a question may recall what its twins left.
        order: The stream order.
    """

    program: str
    same_group: SameGroup
    order: int

    def folder(self, comparison: Path) -> Path:
        """The run's folder in that of the comparison."""
        return comparison / "runs" / self.program / self.same_group / f"order{self.order}"

    def __str__(self) -> str:
        return f"{self.program}, same group {self.same_group}, order {self.order}"


def streams_of(
    contenders: Sequence[Contender], same_groups: Sequence[SameGroup], orders: Sequence[int]
) -> tuple[StreamId, ...]:
    """All streams, order by order, so that programs can be compared on whole orders early."""
    return tuple(
        StreamId(contender.key, same_group, order)
        for order in orders
        for contender in contenders
        for same_group in contender.same_groups(same_groups)
    )
