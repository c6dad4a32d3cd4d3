"""A program with other settings, the one that it came from left as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from sqlmend.programs.steps import STEPS

if TYPE_CHECKING:
    from sqlmend.programs import Preset, RepairProgram


def current_preset(program: RepairProgram) -> Preset:
    """The program's preset with the values that its parameters have now: they may have been loaded."""
    preset = program.preset
    specs = [
        spec.model_copy(update={"settings": step.current_settings()})
        for spec, step in zip(preset.steps, program.steps, strict=True)
    ]
    return preset.model_copy(update={"steps": tuple(specs)})


def retuned(program: RepairProgram, preset: Preset) -> RepairProgram:
    """A copy of ``program`` with the settings of ``preset``, which has the same steps.

    Steps whose settings stay are copied with all that they hold; the others, and all where the order of
    sections differs, are built anew and take over the state of their predictors (instructions,
    demonstrations, language model).
    """
    copied: RepairProgram = program.deepcopy()
    current = current_preset(program)
    reordered = current.section_order != preset.section_order
    for place, (before, after) in enumerate(zip(current.steps, preset.steps, strict=True)):
        if reordered or before.settings != after.settings:
            step = STEPS[after.name](after.settings, preset.section_order)
            _take_over(step, copied.steps[place])
            copied.steps[place] = step
    copied.preset = preset
    return copied


def _take_over(step: Any, old: Any) -> None:
    predictors: Mapping[str, Any] = dict(old.named_predictors())
    for name, predictor in step.named_predictors():
        predictor.load_state(predictors[name].dump_state())
        predictor.lm = predictors[name].lm
