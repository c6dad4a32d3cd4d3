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
        "recall_notes": "sqlmend.programs.steps._notes:RecallNotesStep",
        "revise": "sqlmend.programs.steps._revise:ReviseStep",
        "probe": "sqlmend.programs.steps._probe:ProbeStep",
        "retry": "sqlmend.programs.steps._retry:RetryStep",
        "redraw": "sqlmend.programs.steps._redraw:RedrawStep",
        "vote": "sqlmend.programs.steps._redraw:VoteStep",
        "remember": "sqlmend.programs.steps._remember:RememberStep",
        "record_notes": "sqlmend.programs.steps._notes:RecordNotesStep",
        "link_schema": "sqlmend.programs.steps._link_schema:LinkSchemaStep",
        "recall_examples": "sqlmend.programs.steps._recall_examples:RecallExamplesStep",
        "recall_cards": "sqlmend.programs.steps._recall_cards:RecallCardsStep",
        "recall_rules": "sqlmend.programs.steps._recall_rules:RecallRulesStep",
        "generate_views": "sqlmend.programs.steps._views:GenerateViewsStep",
        "select": "sqlmend.programs.steps._select:SelectStep",
        "reason_views": "sqlmend.programs.steps._views:ReasonViewsStep",
        "merge_tree": "sqlmend.programs.steps._learn:MergeTreeStep",
        "find_contradictions": "sqlmend.programs.steps._learn:FindContradictionsStep",
        "extract_rules": "sqlmend.programs.steps._learn:ExtractRulesStep",
        "extract_lessons": "sqlmend.programs.steps._learn:ExtractLessonsStep",
        "filter_rules": "sqlmend.programs.steps._learn:FilterRulesStep",
        "keep_rules": "sqlmend.programs.steps._learn:KeepRulesStep",
        "trust": "sqlmend.programs.steps._trust:TrustStep",
    },
)

__all__ = ["STEPS", "Moment", "Settings", "Step", "Tunable"]
