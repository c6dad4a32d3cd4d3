"""The steps that presets are made of: one small class each over the episode's state."""

from sqlmend._registry import Registry
from sqlmend.programs.steps._base import Moment, Settings, Step
from sqlmend.programs.steps._tunable import Tunable

#: Step by its name in presets.
STEPS = Registry(
    "step",
    {
        "generate": "sqlmend.programs.steps._generate:GenerateStep",
        "classify": "sqlmend.programs.steps._classify:ClassifyStep",
        "reflect": "sqlmend.programs.steps._reflect:ReflectStep",
        "recall": "sqlmend.programs.steps._recall:RecallStep",
        "recall_mixed": "sqlmend.programs.steps._recall_pool:RecallMixedStep",
        "recall_reflections": "sqlmend.programs.steps._recall_pool:RecallReflectionsStep",
        "revise": "sqlmend.programs.steps._revise:ReviseStep",
        "remember": "sqlmend.programs.steps._remember:RememberStep",
    },
)

__all__ = ["STEPS", "Moment", "Settings", "Step", "Tunable"]
