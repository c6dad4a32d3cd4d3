"""Step: the candidate that becomes the answer."""

from __future__ import annotations

from pydantic import Field

from sqlmend.databases.views import SchemaView
from sqlmend.modules import Select
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs.steps._base import Moment, Settings, Step
from sqlmend.programs.steps._schema_shown import discussed

#: What the judge sees: of all tables what the question is linked to and what the candidates use.
_VIEW = SchemaView("m_schema", "columns")


class SelectSettings(Settings):
    """Settings of a selection.

    Attributes:
        judge: Whether the model decides a close vote.
        close: By how many votes the two largest groups of a close one differ at most.
    """

    judge: bool = True
    close: int = Field(default=1, ge=0)


class SelectStep(Step):
    """Selects by majority over result signatures."""

    moment = Moment.ANSWER
    settings_type = SelectSettings
    needs = frozenset({"candidates"})
    gives = frozenset({"confidence"})
    drafts = True
    prompts = frozenset({"judge_pair"})

    def __init__(self, settings: SelectSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.select = Select(settings.judge, settings.close, section_order)

    def forward(self, episode: Episode) -> None:
        """Draft the selected candidate's query; the empty one where there is no candidate."""
        reasoning, question = episode.reasoning, episode.question
        if not reasoning.candidates:
            episode.draft = Draft("")
            return
        chosen = self.select(
            candidates=reasoning.candidates,
            schema=self._shown(episode) if self.select.judge else "",
            question=question.text,
            evidence=question.evidence,
        )
        reasoning.selected = chosen.selected.label
        reasoning.confidence, reasoning.agreed = chosen.confidence, chosen.agreed
        episode.draft = Draft(
            chosen.selected.sql, recalled=tuple(scored.record.id for scored in reasoning.rules or ())
        )

    def _shown(self, episode: Episode) -> str:
        """The schema as the judge sees it."""
        return episode.view(_VIEW, discussed(episode, episode.reasoning.candidates))
