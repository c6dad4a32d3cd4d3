"""Step: leave one repair entry."""

from __future__ import annotations

from sqlmend.modules import Remember
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class RememberStep(Step):
    """Commits the step into the confirmed query, or the last one of an episode that ends without one."""

    moment = Moment.FINISH
    needs = frozenset({"failure_type"})
    writes_memory = True

    def __init__(self, settings: Settings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.remember = Remember()

    def forward(self, episode: Episode) -> None:
        """Add at most one entry to the episode's commit."""
        question = episode.question
        entry = self.remember(
            question_id=question.id,
            question=question.text,
            db_id=question.db_id,
            schema=episode.schema,
            schema_fingerprint=episode.database.schema().fingerprint,
            evidence=question.evidence,
            attempts=episode.history,
            failure_types=[attempt.failure_type for attempt in episode.attempts],
            solved=episode.solved,
        ).entry
        if entry is not None:
            episode.commit.append(entry)
