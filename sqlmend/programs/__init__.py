"""Programs: compositions of modules, one small declarative preset for each method."""

from sqlmend.programs._episode import Attempt, Episode
from sqlmend.programs._load import bundled_presets, load_preset, override
from sqlmend.programs._preset import Preset, StepSpec, preset_from_data
from sqlmend.programs._program import RepairProgram, StepDone, load_program
from sqlmend.programs._protocol import Feedback, Judgement
from sqlmend.programs._question import Question
from sqlmend.programs._yaml import dump_yaml

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
    "override",
    "preset_from_data",
]
