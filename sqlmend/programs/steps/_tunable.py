"""What a setting says of itself to a tuner: where to look for better values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Tunable:
    """The range of a setting; it stands in the ``Annotated`` type of the setting itself.

    Attributes:
        low: Least number, None where ``choices`` are given.
        high: Greatest number, included.
        step: Distance between neighbours; None: 1 between whole numbers, else a tenth of the range.
        choices: The values, where they are no range of numbers.
        asked: Tuned only where a user asks for it by name.
        rest: A sibling setting that takes what this one leaves of 1.
        when: Sibling settings to those of their values with which this one changes anything.
        unless: Sibling settings to values that, all together, make this one change nothing.
    """

    low: float | None = None
    high: float | None = None
    step: float | None = None
    choices: tuple[Any, ...] = ()
    asked: bool = False
    rest: str = ""
    when: dict[str, tuple[Any, ...]] = field(default_factory=dict, hash=False)
    unless: dict[str, tuple[Any, ...]] = field(default_factory=dict, hash=False)

    def __post_init__(self) -> None:
        if bool(self.choices) == (self.low is not None and self.high is not None):
            raise ValueError(f"a range takes low and high, or choices; got {self}")

    @property
    def spacing(self) -> float:
        """The distance between neighbours of a range.

        Raises:
            ValueError: It has choices.
        """
        if self.low is None or self.high is None:
            raise ValueError("choices have no distance")
        if self.step is not None:
            return self.step
        whole = isinstance(self.low, int) and isinstance(self.high, int)
        return 1 if whole else (self.high - self.low) / 10
