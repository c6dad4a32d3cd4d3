"""Step: write another query, told as much of the earlier ones as the preset says."""

from __future__ import annotations

from sqlmend.modules import Known, Retry, Told
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs.steps._base import AnswerSettings, Moment, Step


class RetrySettings(AnswerSettings):
    """Settings of a retry; ``told``: what the model is told of the attempts, see ``ProbeSettings``."""

    told: Told = "message"


class RetryStep(Step):
    """Writes another query from the schema, the question, the attempts as they are told, and the findings."""

    moment = Moment.REPAIR
    settings_type = RetrySettings
    uses = frozenset({"probes"})
    drafts = True
    prompts = frozenset({"retry"})
    settings: RetrySettings

    def __init__(self, settings: RetrySettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.retry = Retry(section_order, settings.max_tokens)

    def forward(self, episode: Episode) -> None:
        """Draft the query."""
        question = episode.question
        written = self.retry(
            schema=episode.schema,
            question=question.text,
            evidence=question.evidence,
            known=Known(episode.history, self.settings.told, episode.probes),
        )
        episode.draft = Draft(
            written.sql, dropped_attempts=written.dropped_attempts, dropped_probes=written.dropped_probes
        )
