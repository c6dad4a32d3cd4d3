"""One setting that is searched, with the values it may take."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from sqlmend._files import canonical_json
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from optuna import Trial
    from optuna.distributions import BaseDistribution

_MOST = 1e12
_DIGITS = 10  # 3 * 0.1 is written as 0.3


@dataclass(frozen=True)
class Dimension:
    """A setting and its values: evenly spaced numbers, or choices.

    Attributes:
        path: The setting, as ``--set`` names it.
        own: The program's own value, one of the values.
        values: All values; numbers ascend.
        ordered: Whether they are evenly spaced numbers, so that a sampler may learn from neighbours.
        rest: A setting that takes what this one leaves of 1, ``""`` for none.
        when: Settings to those of their values with which this one changes anything.
        unless: Each of these: settings to values that, all together, make this one change nothing.
    """

    path: str
    own: Any
    values: tuple[Any, ...]
    ordered: bool
    rest: str = ""
    when: Mapping[str, tuple[Any, ...]] = field(default_factory=dict, hash=False)
    unless: tuple[Mapping[str, tuple[Any, ...]], ...] = field(default=(), hash=False)

    def matters(self, settings: Mapping[str, Any]) -> bool:
        """Whether it changes anything beside these settings."""
        for idle in self.unless:
            if all(settings[path] in values for path, values in idle.items()):
                return False
        return all(settings[path] in values for path, values in self.when.items())

    def __post_init__(self) -> None:
        if self.own not in self.values:
            shown = ", ".join(map(canonical_json, self.values[:12])) + (
                ", ..." if len(self.values) > 12 else ""
            )
            raise InputError(
                "bad_space",
                f"{self.path}: the program's own value {self.own!r} must be one of those searched: {shown}",
                hint="the first trial is the program as it is: widen the range, or --set the value",
            )

    @cached_property
    def distribution(self) -> BaseDistribution:
        """The dimension as Optuna has it; what is no number goes by its label."""
        from optuna.distributions import CategoricalDistribution, FloatDistribution, IntDistribution

        if not self.ordered:
            return CategoricalDistribution(tuple(map(self.label, self.values)))
        low, high, step = self.values[0], self.values[-1], round(self.values[1] - self.values[0], _DIGITS)
        whole = all(isinstance(value, int) for value in self.values)
        return (IntDistribution if whole else FloatDistribution)(low, high, step=step)

    def suggest(self, trial: Trial) -> Any:
        """The parameter of this trial, as its sampler has it."""
        from optuna.distributions import CategoricalDistribution, IntDistribution

        space: Any = self.distribution
        if isinstance(space, CategoricalDistribution):
            return trial.suggest_categorical(self.path, space.choices)
        suggest = trial.suggest_int if isinstance(space, IntDistribution) else trial.suggest_float
        return suggest(self.path, space.low, space.high, step=space.step)

    def label(self, value: Any) -> Any:
        """``value`` as a parameter of a trial."""
        return value if self.ordered or isinstance(value, str) else canonical_json(value)

    def value(self, label: Any) -> Any:
        """The reverse of ``label``; a number that floating point has moved is put back."""
        if self.ordered:
            return min(self.values, key=lambda value: abs(value - label))
        return self._by_label[label]

    @cached_property
    def _by_label(self) -> dict[Any, Any]:
        return {self.label(value): value for value in self.values}

    def to_data(self) -> list[Any]:
        """The values as plain JSON values."""
        return list(self.values)


def spaced(low: float, high: float, step: float, where: str) -> tuple[float, ...]:
    """The numbers from ``low`` to ``high``, whole ones where all three are.

    Raises:
        InputError: The range is empty or the step does not lead from its one end to the other.
    """
    # Neither nan nor an infinity lies between.
    numbers = all(-_MOST < number < _MOST for number in (low, high, step))
    count = round((high - low) / step) if numbers and step > 0 else -1
    if count < 0 or abs(low + count * step - high) > 10**-_DIGITS or count > 10_000:
        raise InputError(
            "bad_space", f"{where}: no range of steps of {step!r} leads from {low!r} to {high!r}"
        )
    if all(isinstance(number, int) for number in (low, high, step)):
        return tuple(range(int(low), int(high) + 1, int(step)))
    return tuple(round(low + number * step, _DIGITS) for number in range(count + 1))
