"""Steps: draw the initial prompt again, at a temperature and without any feedback."""

from __future__ import annotations

from pydantic import Field

from sqlmend.modules import Draw, Generate, GenerateSampled, Select
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs.steps._base import AnswerSettings, Moment, Step
from sqlmend.programs.steps._views import run_all


class RedrawSettings(AnswerSettings):
    """How draws are sampled.

    Attributes:
        temperature: Temperature of sampling.
        seed: Which draws: each seed has draws of its own. Both steps draw from the same ones, so that the
            first redraw of a question is the first sample of its vote.
    """

    temperature: float = Field(default=0.8, gt=0, le=2)
    seed: int = Field(default=0, ge=0, le=1_000_000)

    def draw(self, number: int) -> Draw:
        """The draw of a number from 1 on."""
        return Draw.seeded(self.seed, number, self.temperature)


class RedrawStep(Step):
    """Writes the next query as the initial one was written, drawn at a temperature; it is told nothing."""

    moment = Moment.REPAIR
    settings_type = RedrawSettings
    drafts = True
    settings: RedrawSettings

    def __init__(self, settings: RedrawSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.generate = Generate(settings.max_tokens)

    def forward(self, episode: Episode) -> None:
        """Draft the query of the next draw."""
        question = episode.question
        written = self.generate(
            schema=episode.schema,
            question=question.text,
            evidence=question.evidence,
            draw=self.settings.draw(len(episode.attempts)),
        )
        episode.draft = Draft(written.sql)


class VoteSettings(RedrawSettings):
    """Settings of a vote; ``samples``: how many queries are drawn."""

    samples: int = Field(default=5, ge=1, le=100)


class VoteStep(Step):
    """Draws several queries and keeps the one that most of them agree with by result.

    Each is run in the database's sandbox, and two agree where their rows are equal as multisets. A query
    that fails agrees with none and stands back behind those that run; of equal groups the one drawn first
    wins. No verdict is looked at.
    """

    moment = Moment.REPAIR
    settings_type = VoteSettings
    drafts = True
    settings: VoteSettings

    def __init__(self, settings: VoteSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.sample = GenerateSampled(settings.max_tokens)
        self.select = Select()

    def forward(self, episode: Episode) -> None:
        """Draft the query of the largest group."""
        question, reasoning = episode.question, episode.reasoning
        drawn = self.sample(
            schema=episode.schema,
            question=question.text,
            evidence=question.evidence,
            draws=[self.settings.draw(number) for number in range(1, self.settings.samples + 1)],
        ).candidates
        reasoning.candidates = run_all(drawn, episode)
        chosen = self.select(candidates=reasoning.candidates)
        reasoning.selected = chosen.selected.label
        reasoning.confidence, reasoning.agreed = chosen.confidence, chosen.agreed
        episode.draft = Draft(chosen.selected.sql)
