"""Programs: compositions of modules, one small declarative preset for each method."""

from typing import TYPE_CHECKING

from sqlmend._lazy import lazy_exports
from sqlmend.programs._protocol import Feedback, Judgement
from sqlmend.programs._question import Question
from sqlmend.programs._yaml import dump_yaml

if TYPE_CHECKING:
    from sqlmend.programs._episode import Attempt, Episode
    from sqlmend.programs._failures import of_one_question
    from sqlmend.programs._load import bundled_presets, load_preset, override, own_settings, settings_of
    from sqlmend.programs._preset import Preset, StepSpec, preset_from_data
    from sqlmend.programs._program import RepairProgram, StepDone, load_program

__all__ = [
    "Attempt",
    "Episode",
    "Feedback",
    "Judgement",
    "Preset",
    "Question",
    "RepairProgram",
    "StepDone",
    "StepSpec",
    "bundled_presets",
    "dump_yaml",
    "load_preset",
    "load_program",
    "of_one_question",
    "override",
    "own_settings",
    "preset_from_data",
    "settings_of",
]

# These need dspy, which takes a second to import; a benchmark's questions do not.
__getattr__ = lazy_exports(
    __name__,
    {
        "Attempt": "_episode",
        "Episode": "_episode",
        "Preset": "_preset",
        "RepairProgram": "_program",
        "StepDone": "_program",
        "StepSpec": "_preset",
        "bundled_presets": "_load",
        "load_preset": "_load",
        "load_program": "_program",
        "of_one_question": "_failures",
        "override": "_load",
        "own_settings": "_load",
        "preset_from_data": "_preset",
        "settings_of": "_load",
    },
)
