"""Step: write one revision."""

from __future__ import annotations

from sqlmend.modules import Revise
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class ReviseStep(Step):
    """Writes one revision from history, feedback and what was recalled."""

    moment = Moment.REPAIR
    needs = frozenset({"failure_type"})
    uses = frozenset({"recalled"})
    drafts = True

    def __init__(self, settings: Settings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.revise = Revise(section_order)

    def forward(self, episode: Episode) -> None:
        """Draft the revision."""
        written = self.revise(
            schema=episode.schema,
            question=episode.question.text,
            evidence=episode.question.evidence,
            history=episode.history,
            failure_type=episode.last.failure_type,
            recalled=episode.recalled,
            reflections=tuple(episode.reflections),
        )
        episode.draft = Draft(
            written.sql,
            recalled=written.shown,
            dropped_memories=written.dropped_memories,
            dropped_attempts=written.dropped_attempts,
        )
