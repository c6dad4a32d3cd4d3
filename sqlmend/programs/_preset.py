"""A preset: an ordered list of steps with their settings, as a value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from sqlmend.errors import InputError, near_names, unknown_name
from sqlmend.programs.steps import STEPS, Moment, Settings, Tunable


class StepSpec(BaseModel):
    """One step of a preset: its name in the registry and its checked settings."""

    model_config = ConfigDict(frozen=True)

    name: str
    settings: Settings

    def to_data(self) -> str | dict[str, Any]:
        """The step as a preset file writes it: its name, or its name with settings."""
        settings = self.settings.model_dump(mode="json")
        return {self.name: settings} if settings else self.name


class Preset(BaseModel):
    """A program, fully resolved; two variants differ by a diff of their presets.

    Attributes:
        name: Name in lists and results.
        summary: One line for people.
        origin: ``published method`` (or baseline, or ablation), ``ours``, or the user's word.
        base: The bundled preset that it was derived from, ``""`` where there is none. Where the two differ,
            ``own_settings`` says that a comparison may not set it.
        budget: Revisions after the initial query at most.
        section_order: Order of the prompts' sections.
        steps: The steps, in the order in which they run within their moment.
    """

    model_config = ConfigDict(frozen=True)

    name: str = Field(min_length=1)
    summary: str = ""
    origin: str = "own"
    base: str = ""
    budget: Annotated[int, Tunable(low=1, high=8, step=1, asked=True)] = Field(default=7, ge=0, le=100)
    section_order: Literal["prefix", "published"] = "prefix"
    steps: tuple[StepSpec, ...]

    def to_data(self) -> dict[str, Any]:
        """Plain values with every setting written out; ``preset_from_data`` of it is equal."""
        data = self.model_dump(exclude={"steps"})
        data["steps"] = [step.to_data() for step in self.steps]
        return data


def preset_from_data(data: Mapping[str, Any], where: str) -> Preset:
    """The preset that plain values describe.

    Args:
        data: The fields of ``Preset``; a step is a name or a mapping of its name to settings.
        where: What to call it in an error.

    Raises:
        InputError: A field, step or setting is unknown, missing or out of its range, or a step needs
            what no earlier step gives.
    """
    _check_names(data, Preset.model_fields, where, "field")
    steps = data.get("steps")
    if not isinstance(steps, Sequence) or isinstance(steps, str) or not steps:
        raise InputError("bad_preset", f"{where}: steps must be a list of at least one step; got {steps!r}")
    specs = tuple(_step_from_data(item, f"{where}: steps[{n}]") for n, item in enumerate(steps))
    _check_steps(specs, where)
    try:
        return Preset(**{**data, "steps": specs})
    except ValidationError as error:
        raise _explain(error, where) from error


def _step_from_data(item: Any, where: str) -> StepSpec:
    settings: Any
    if isinstance(item, str):
        name, settings = item, {}
    elif isinstance(item, Mapping) and len(item) == 1:
        name, settings = next(iter(item.items()))
        settings = {} if settings is None else settings
    else:
        raise InputError(
            "bad_preset", f"{where} must be a step's name, or its name and settings; got {item!r}"
        )
    step = STEPS[name]
    if not isinstance(settings, Mapping):
        raise InputError("bad_preset", f"{where}.{name}: settings must be a mapping; got {settings!r}")
    _check_names(settings, step.settings_type.model_fields, f"{where}.{name}", "setting")
    try:
        return StepSpec(name=name, settings=step.settings_type.model_validate(settings))
    except ValidationError as error:
        raise _explain(error, f"{where}.{name}") from error


def _check_names(data: Mapping[str, Any], known: Mapping[str, Any], where: str, kind: str) -> None:
    for name in data:
        if name not in known:
            error = unknown_name(kind, name, known)
            raise InputError(error.code, f"{where}: {error.message}", hint=error.hint, context=error.context)


def _check_steps(specs: tuple[StepSpec, ...], where: str) -> None:
    given: set[str] = set()
    used: set[str] = set()
    names: set[str] = set()
    for spec in specs:
        if spec.name in names:
            raise InputError("bad_preset", f"{where}: the step {spec.name} stands twice")
        names.add(spec.name)
        step = STEPS[spec.name]
        if missing := sorted(step.needs - given):
            raise InputError(
                "bad_preset",
                f"{where}: {spec.name} needs {', '.join(missing)}, which no earlier step gives",
                hint="put the step that gives it before this one",
            )
        if late := sorted(step.gives & used):
            raise InputError(
                "bad_preset", f"{where}: {spec.name} must come before the step that uses {late[0]}"
            )
        given |= step.gives
        used |= step.uses
    repairs = any(STEPS[spec.name].moment in (Moment.FAILED, Moment.REPAIR) for spec in specs)
    for moment in (Moment.ANSWER, Moment.REPAIR) if repairs else (Moment.ANSWER,):
        if not any(STEPS[spec.name].drafts and STEPS[spec.name].moment is moment for spec in specs):
            drafts = " or ".join(
                name for name in STEPS if STEPS[name].drafts and STEPS[name].moment is moment
            )
            raise InputError("bad_preset", f"{where}: no step writes a query to {moment.value}; add {drafts}")


def _explain(error: ValidationError, where: str) -> InputError:
    """The first of pydantic's findings in our words."""
    first = error.errors()[0]
    place = ".".join(str(part) for part in first["loc"])
    hint = None
    if first["type"] == "extra_forbidden":
        known = _fields_at(error, first["loc"][:-1])
        near = near_names(str(first["loc"][-1]), known)
        hint = f"did you mean {', '.join(near)}?" if near else None
        return InputError("unknown_setting", f"{where}: unknown setting {place!r}", hint=hint)
    return InputError("bad_setting", f"{where}: {place}: {first['msg']}; got {first['input']!r}", hint=hint)


def _fields_at(error: ValidationError, path: tuple[int | str, ...]) -> list[str]:
    """Names of the fields of the settings model that ``path`` leads to, by the step's title."""
    for name in STEPS:
        model: Any = STEPS[name].settings_type
        if model.__name__ != error.title:
            continue
        for part in path:
            model = model.model_fields[str(part)].annotation
        return list(model.model_fields)
    return []
