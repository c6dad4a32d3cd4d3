"""The programs of a comparison: loaded, named apart, and the same but for what their presets say."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Literal

from sqlmend.errors import InputError
from sqlmend.programs import Preset, RepairProgram, load_preset, override, own_settings, settings_of

SameGroup = Literal["allow", "exclude"]
SAME_GROUPS: tuple[SameGroup, ...] = ("allow", "exclude")

_SETTING = "same_group"
_NO_FILE_NAME = re.compile(r"[^A-Za-z0-9_.-]")
_LONGEST = 100


@dataclass(frozen=True)
class Contender:
    """One program of a comparison.

    Attributes:
        preset: Its preset with everything that the comparison sets, less ``same_group``.
    """

    preset: Preset

    @property
    def name(self) -> str:
        """The preset's name."""
        return self.preset.name

    @cached_property
    def key(self) -> str:
        """The name as a folder's name: ``merit:no_lexical`` is ``merit.no_lexical``."""
        text = _NO_FILE_NAME.sub("-", self.name.replace(":", "."))[:_LONGEST]
        return re.sub(r"^\.+|\.+$", lambda dots: "-" * len(dots[0]), text)

    @cached_property
    def grouped_steps(self) -> tuple[str, ...]:
        """The steps that can leave a question's twins out of what they recall."""
        return tuple(s.name for s in self.preset.steps if _SETTING in type(s.settings).model_fields)

    @cached_property
    def reads_memory(self) -> bool:
        """Whether a step reads a memory."""
        return RepairProgram(self.preset).reads_memory

    def same_groups(self, asked: Sequence[SameGroup]) -> tuple[SameGroup, ...]:
        """Which of the settings asked for are streams of their own: without a recall all are ``allow``."""
        return tuple(asked) if self.grouped_steps else ("allow",)

    def program(self, same_group: SameGroup) -> RepairProgram:
        """A program of its own for one stream, with ``same_group`` set on every step that has it."""
        return RepairProgram(
            override(self.preset, [f"{step}.{_SETTING}={same_group}" for step in self.grouped_steps])
        )


def load_contenders(
    sources: Iterable[str | Path], overrides: Sequence[str] = (), budget: int | None = None
) -> tuple[Contender, ...]:
    """The programs of a comparison, in the order given.

    Args:
        sources: Names of presets and ablations, and YAML files.
        overrides: Settings as ``path=value``; each goes to every program that has the setting. None may be
            what makes one of them another program than its base: all would have the same then.
        budget: Revisions after the initial query at most, for all programs; None: as the presets say. It
            may not be all that makes one of them another program than its base.

    Raises:
        InputError: None is given, one is unknown or not valid, a setting is in none of them or would undo
            one, or two of them would have the same name.
    """
    loaded = [load_preset(source) for source in sources]
    if not loaded:
        raise InputError(
            "no_programs", "a comparison needs at least one program", hint="sqlmend programs list"
        )
    presets = loaded
    if budget is not None:
        given = f"budget={budget}"
        _require_apart(
            [preset for preset in loaded if _is_base_with(preset, given)], given, f"--budget {budget}"
        )
        presets = [override(preset, [given]) for preset in presets]
    for assignment in overrides:
        _require_apart(loaded, assignment, f"--set {assignment}")
        presets = _set(presets, assignment)
    contenders = tuple(map(Contender, presets))
    _require_distinct(contenders)
    return contenders


def _set(presets: Sequence[Preset], assignment: str) -> list[Preset]:
    """``assignment`` in every preset that has such a setting."""
    if assignment.partition("=")[0].strip().endswith(f".{_SETTING}"):
        raise InputError(
            "bad_assignment",
            f"a comparison sets {_SETTING} itself; got --set {assignment}",
            hint="--same-group both, allow or exclude",
        )
    changed, unknown = [], []
    for preset in presets:
        try:
            changed.append(override(preset, [assignment]))
        except InputError as error:
            if error.code != "unknown_setting":
                raise
            changed.append(preset)
            unknown.append(error)
    if len(unknown) == len(presets):
        # The last program's: what is compared with a baseline comes after it and has more settings.
        raise unknown[-1]
    return changed


def _require_apart(presets: Sequence[Preset], assignment: str, said: str) -> None:
    """Refuse a setting by which a variant differs from its base: it would be its base under its own name."""
    path, _, value = (part.strip() for part in assignment.partition("="))
    for preset in presets:
        base = own_settings(preset).get(path)
        if base is not None:
            own, theirs = (json.dumps(settings_of(one)[path]) for one in (preset, base))
            raise InputError(
                "undone_program",
                f"{said} would undo {preset.name}, which has {path} {own} where {base.name} has {theirs}",
                hint=f"leave {preset.name} out, or make the program that you mean: a YAML file with"
                f" `base: {base.name}` and `set: {{{path}: {value}}}`",
            )


def _is_base_with(preset: Preset, assignment: str) -> bool:
    """Whether a variant that differs from its base in this setting is nothing but its base with it."""
    base = own_settings(preset).get(assignment.partition("=")[0])
    if base is None:
        return False
    one, other = (override(each, [assignment]) for each in (preset, base))
    return (one.steps, one.section_order) == (other.steps, other.section_order)


def _require_distinct(contenders: Sequence[Contender]) -> None:
    seen: dict[str, Contender] = {}
    for contender in contenders:
        other = seen.setdefault(contender.key.casefold(), contender)
        if other is not contender:
            raise InputError(
                "same_program",
                f"two programs would have the folder {contender.key}: {other.name!r} and {contender.name!r}",
                hint="give each program once; a YAML file may name its own with `name:`",
            )
