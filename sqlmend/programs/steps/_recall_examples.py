"""Step: examples from demonstrations."""

from __future__ import annotations

from pydantic import Field

from sqlmend.modules import RecallExamples, schema_shape
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class RecallExamplesSettings(Settings):
    """Settings of a recall of examples."""

    top_k: int = Field(default=3, ge=0, le=20)


class RecallExamplesStep(Step):
    """Recalls the nearest demonstrations; nothing where the run has none."""

    moment = Moment.ANSWER
    settings_type = RecallExamplesSettings
    gives = frozenset({"examples"})
    uses = frozenset({"links"})

    def __init__(self, settings: RecallExamplesSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.recall = RecallExamples(settings.top_k)

    def forward(self, episode: Episode) -> None:
        """Recall for the question."""
        reasoning = episode.reasoning
        reasoning.examples = self.recall(
            question=episode.question.text,
            shape=schema_shape(episode.database.schema(), reasoning.links),
            pool=episode.demonstrations,
        ).examples
