"""Step: name the failure type."""

from __future__ import annotations

from sqlmend.modules import ClassifyFailure
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class ClassifyStep(Step):
    """Names the failure type of the attempt at hand."""

    moment = Moment.FAILED
    gives = frozenset({"failure_type"})

    def __init__(self, settings: Settings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.classify = ClassifyFailure()

    def forward(self, episode: Episode) -> None:
        """Classify the last attempt."""
        episode.classify(self.classify(status=episode.last.execution.status).failure_type)
