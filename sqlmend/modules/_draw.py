"""A sampled answer in place of the greedy one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sqlmend.errors import InputError

#: Draws of one prompt that a seed has to itself.
_DRAWS_PER_SEED = 1_000


@dataclass(frozen=True)
class Draw:
    """Which sampled answer of a prompt is asked for; every draw is an answer of its own.

    Attributes:
        index: Number of the draw from 1 on; 0 would be the greedy answer.
        temperature: Temperature of sampling, above 0.

    Raises:
        InputError: A value is out of its range.
    """

    index: int
    temperature: float

    def __post_init__(self) -> None:
        if self.index < 1 or not self.temperature > 0:
            raise InputError(
                "bad_draw", f"a draw has an index from 1 on and a temperature above 0; got {self}"
            )

    @classmethod
    def seeded(cls, seed: int, number: int, temperature: float) -> Draw:
        """The draw of a number from 1 to 1,000 under a seed from 0 on: no two seeds share a draw."""
        if seed < 0 or not 1 <= number <= _DRAWS_PER_SEED:
            raise InputError("bad_draw", f"seed {seed} has no draw {number}")
        return cls(seed * _DRAWS_PER_SEED + number, temperature)

    @property
    def config(self) -> dict[str, Any]:
        """The call's settings as ``dspy.Predict`` takes them."""
        return {"rollout_id": self.index, "temperature": self.temperature}
