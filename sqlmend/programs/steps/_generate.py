"""Step: write the initial query."""

from __future__ import annotations

from sqlmend.modules import Generate
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs.steps._base import AnswerSettings, Moment, Step


class GenerateStep(Step):
    """Writes the initial query from schema, question, evidence and the cards that were recalled."""

    moment = Moment.ANSWER
    settings_type = AnswerSettings
    uses = frozenset({"cards"})
    drafts = True

    def __init__(self, settings: AnswerSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.generate = Generate(settings.max_tokens)

    def forward(self, episode: Episode) -> None:
        """Draft the initial query."""
        question = episode.question
        written = self.generate(
            schema=episode.schema,
            question=question.text,
            evidence=question.evidence,
            cards=() if episode.recalled is None else episode.recalled.cards,
        )
        episode.draft = Draft(written.sql, written.shown, written.dropped_memories)
