"""Step: write the initial query."""

from __future__ import annotations

from sqlmend.modules import Generate
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class GenerateStep(Step):
    """Writes the initial query from schema, question and evidence."""

    moment = Moment.ANSWER
    drafts = True

    def __init__(self, settings: Settings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.generate = Generate()

    def forward(self, episode: Episode) -> None:
        """Draft the initial query."""
        question = episode.question
        written = self.generate(schema=episode.schema, question=question.text, evidence=question.evidence)
        episode.draft = Draft(written.sql)
