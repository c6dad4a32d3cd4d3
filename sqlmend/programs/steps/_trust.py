"""Step: leave answers alone that run and that the candidates agree on."""

from __future__ import annotations

from pydantic import Field

from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class TrustSettings(Settings):
    """Settings of the trust; ``confidence``: the share of agreeing candidates from which an answer stays."""

    confidence: float = Field(default=0.6, ge=0, le=1)


class TrustStep(Step):
    """Ends the episode where the answer ran and enough candidates agreed on it."""

    moment = Moment.REPAIR
    settings_type = TrustSettings
    needs = frozenset({"confidence"})

    def __init__(self, settings: TrustSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.least = settings.confidence

    def forward(self, episode: Episode) -> None:
        """Look at the first answer; a revision is judged by feedback alone."""
        ran = episode.last.execution.status in ("ok", "mismatch")
        if len(episode.attempts) == 1 and ran and episode.reasoning.confidence >= self.least:
            episode.final = True
