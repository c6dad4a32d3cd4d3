"""The space of a study: what the settings of a program say of themselves, narrowed or widened by a user."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel

from sqlmend._files import canonical_json
from sqlmend.errors import InputError, SqlmendError, unknown_name
from sqlmend.optimize._dimension import Dimension, spaced
from sqlmend.programs import settings_of
from sqlmend.programs._yaml import parse_yaml
from sqlmend.programs.steps._tunable import Tunable

if TYPE_CHECKING:
    from optuna.distributions import BaseDistribution

    from sqlmend.programs import Preset

_COUNTED = 10_000

Values = Mapping[str, Any]
"""Setting to value, as ``--set`` names it."""


@dataclass(frozen=True)
class Space:
    """What a study searches.

    Attributes:
        preset: The program as it is; its own values are those of the first trial.
        dimensions: The settings that are searched.
    """

    preset: Preset
    dimensions: tuple[Dimension, ...]

    @property
    def distributions(self) -> dict[str, BaseDistribution]:
        """The dimensions as Optuna has them."""
        return {dimension.path: dimension.distribution for dimension in self.dimensions}

    @property
    def own(self) -> dict[str, Any]:
        """The program's own values as parameters of a trial."""
        return {dimension.path: dimension.label(dimension.own) for dimension in self.dimensions}

    @cached_property
    def _own_settings(self) -> dict[str, Any]:
        return settings_of(self.preset)

    @cached_property
    def size(self) -> int:
        """How many combinations there are."""
        size = 1
        for dimension in self.dimensions:
            size *= len(dimension.values)
        return size

    def each(self) -> Iterator[dict[str, Any]]:
        """Every combination, as parameters of a trial."""
        paths = [dimension.path for dimension in self.dimensions]
        for labels in product(*([d.label(value) for value in d.values] for d in self.dimensions)):
            yield dict(zip(paths, labels, strict=True))

    @cached_property
    def programs(self) -> int | None:
        """How many different programs the combinations are; None where there are too many to count."""
        if self.size > _COUNTED:
            return None
        return len({canonical_json(self.settings(parameters)) for parameters in self.each()})

    def draw(self, seed: str) -> dict[str, Any]:
        """Parameters drawn evenly."""
        # No secret hangs on it, and it must be the same in every process.
        generator = random.Random(seed)
        return {d.path: d.label(generator.choice(d.values)) for d in self.dimensions}

    def settings(self, parameters: Values) -> dict[str, Any]:
        """The settings that parameters of a trial stand for.

        A setting that changes nothing beside the others keeps the program's own value, so that two trials
        that are the same program have the same settings.
        """
        found = {d.path: d.value(parameters[d.path]) for d in self.dimensions}
        beside = {**self._own_settings, **found}
        settings = dict(found)
        for dimension in self.dimensions:
            if not dimension.matters(beside):
                settings[dimension.path] = dimension.own
            if dimension.rest:
                own = settings[dimension.path] == dimension.own
                rest = self._own_settings[dimension.rest] if own else round(1 - settings[dimension.path], 10)
                settings[dimension.rest] = rest
        return settings

    def changed(self, settings: Values) -> dict[str, Any]:
        """Those of ``settings`` that differ from the program's own."""
        return {path: value for path, value in settings.items() if value != self._own_settings[path]}

    def with_settings(self, settings: Values) -> Preset:
        """The program's preset with other settings."""
        from sqlmend.programs import override

        return override(self.preset, [f"{path}={json.dumps(value)}" for path, value in settings.items()])

    def to_data(self) -> dict[str, list[Any]]:
        """Setting to its values, as plain JSON values."""
        return {dimension.path: dimension.to_data() for dimension in self.dimensions}


def read_space(file: Path) -> dict[str, Any]:
    """The changes of a space in a YAML file, for ``build_space``.

    Raises:
        InputError: The file cannot be read or holds no mapping.
    """
    try:
        return parse_yaml(file.read_text("utf-8"), str(file))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError("bad_space", f"cannot read the space {file}: {error}") from error


def build_space(preset: Preset, changes: Mapping[str, Any] | None = None) -> Space:
    """The space of a program.

    Args:
        preset: The program.
        changes: Setting to its values: a list of choices, ``{low, high, step}``, ``true`` for the range that
            the setting declares, ``false`` to leave it as it is. ``only: true`` leaves every setting as it is
            that is not named.

    Raises:
        InputError: A setting or a range is not valid, or nothing is left to search.
    """
    asked = dict(changes or {})
    only = asked.pop("only", False)
    if not isinstance(only, bool):
        raise InputError("bad_space", f"only must be true or false; got {only!r}")
    declared = dict(_declared(preset))
    known, idle = settings_of(preset), _idle(preset)
    dimensions = []
    for path in [*declared, *(path for path in asked if path not in declared)]:
        if path not in known:
            raise unknown_name("setting", path, known)
        tunable = declared.get(path)
        wanted = asked.get(path, not only and tunable is not None and not tunable.asked)
        if wanted is False:
            continue
        dimension = _dimension(known, path, tunable, wanted, idle)
        if len(dimension.values) > 1:
            dimensions.append(dimension)
    if not dimensions:
        raise InputError("bad_space", f"{preset.name} has no setting to tune in this space")
    for dimension in dimensions:
        if any(other.path == dimension.rest for other in dimensions):
            raise InputError(
                "bad_space",
                f"{dimension.rest} is what {dimension.path} leaves of 1 and cannot be searched beside it",
                hint=f"leave one of them out: {dimension.path}: false",
            )
    space = Space(preset, tuple(dimensions))
    for dimension in dimensions:
        for value in dimension.values:
            try:
                space.with_settings({dimension.path: value})
            except SqlmendError as error:
                raise InputError(
                    "bad_space", f"{dimension.path}: {error.message}", hint=error.hint
                ) from error
    return space


def _dimension(
    known: Values, path: str, tunable: Tunable | None, wanted: Any, idle: Mapping[str, Values]
) -> Dimension:
    own = known[path]
    parent = path.rpartition(".")[0]
    rest = f"{parent}.{tunable.rest}" if tunable and tunable.rest else ""
    when, beside = (
        _under(parent, declared) for declared in ((tunable.when, tunable.unless) if tunable else ({}, {}))
    )
    nothing = idle.get(path.partition(".")[0], {})
    unless = tuple(group for group in (beside, nothing) if group and path not in group)
    if rest and abs(own + known[rest] - 1) > 1e-9:
        raise InputError(
            "bad_space",
            f"{path} and {rest} are searched together and must add up to 1; got {own} and {known[rest]}",
            hint=f"--set {path}=... --set {rest}=..., or {path}: false in the space",
        )
    if wanted is True:
        if tunable is None:
            raise InputError("bad_space", f"{path} declares no range", hint="name its values: a list")
        if tunable.choices:
            values = tuple(_plain(choice) for choice in tunable.choices)
            # A program of one's own may have a value that nobody has thought of.
            return Dimension(
                path, own, values if own in values else (*values, own), False, rest, when, unless
            )
        wanted = {"low": tunable.low, "high": tunable.high, "step": tunable.spacing}
    if isinstance(wanted, list) and wanted:
        return Dimension(path, own, _choices(path, wanted), False, rest, when, unless)
    if isinstance(wanted, Mapping) and wanted.keys() == {"low", "high", "step"}:
        numbers = [wanted[name] for name in ("low", "high", "step")]
        if all(isinstance(number, int | float) and not isinstance(number, bool) for number in numbers):
            low, high, step = numbers
            values = spaced(low, high, step, path)
            return Dimension(path, own, values, len(values) > 1, rest, when, unless)
    raise InputError(
        "bad_space",
        f"{path} takes a list of values, low, high and step, true or false; got {wanted!r}",
        hint=f"for example {path}: {{low: 0, high: 1, step: 0.1}}",
    )


def _under(parent: str, declared: Mapping[str, tuple[Any, ...]]) -> dict[str, tuple[Any, ...]]:
    """What a setting or a step says of settings beside it, by whole paths."""
    return {f"{parent}.{name}": tuple(map(_plain, values)) for name, values in declared.items()}


def _idle(preset: Preset) -> dict[str, dict[str, tuple[Any, ...]]]:
    """Step to the settings with which it does nothing."""
    return {step.name: _under(step.name, step.settings.idle) for step in preset.steps}


def _choices(path: str, wanted: list[Any]) -> tuple[Any, ...]:
    try:
        return tuple({canonical_json(value): _plain(value) for value in wanted}.values())
    except (TypeError, ValueError, RecursionError):
        raise InputError(
            "bad_space",
            f"{path}: a value is a number, text, true, false, null or a list of such; got {wanted!r}",
        ) from None


def _declared(preset: Preset) -> Iterator[tuple[str, Tunable]]:
    for path, metadata in _walk("", preset):
        for item in metadata:
            if isinstance(item, Tunable):
                yield path, item


def _walk(prefix: str, model: BaseModel) -> Iterator[tuple[str, list[Any]]]:
    """Every setting of a preset or of a step: path and metadata."""
    for name, info in type(model).model_fields.items():
        value = getattr(model, name)
        if name == "steps" and not prefix:
            for step in value:
                yield from _walk(f"{step.name}.", step.settings)
        elif isinstance(value, BaseModel):
            yield from _walk(f"{prefix}{name}.", value)
        elif prefix or name in ("budget", "section_order"):
            yield f"{prefix}{name}", info.metadata


def _plain(value: Any) -> Any:
    """``value`` as plain JSON has it: lists instead of tuples."""
    return json.loads(canonical_json(value))
