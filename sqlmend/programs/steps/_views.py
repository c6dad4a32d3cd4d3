"""Steps: candidates of several views of the schema, to answer with and to learn from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import Field, field_validator

from sqlmend.databases.views import DEFAULT_VIEWS, SchemaView
from sqlmend.modules import GenerateDirect, GenerateReasoned
from sqlmend.modules.tree import Candidate, observe
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class ViewsSettings(Settings):
    """Settings of candidates: one for each view, written ``format/reduction``."""

    views: tuple[str, ...] = Field(default=tuple(map(str, DEFAULT_VIEWS)), min_length=1, max_length=12)

    @field_validator("views")
    @classmethod
    def _known(cls, value: tuple[str, ...]) -> tuple[str, ...]:
        for text in value:
            SchemaView.parse(text)
        if len(set(value)) < len(value):
            raise ValueError("a view stands twice")
        return value


class GenerateViewsSettings(ViewsSettings):
    """Settings of the candidates that are answered with.

    Attributes:
        reasoned: Write them with their reasoning, so that they can be learnt from as well.
        fall_back: Where a name is unknown in a cut schema, ask once more with the whole one.
    """

    reasoned: bool = False
    fall_back: bool = True


class GenerateViewsStep(Step):
    """Writes and runs one candidate for each view, to answer with."""

    moment = Moment.ANSWER
    settings_type = GenerateViewsSettings
    gives = frozenset({"candidates"})
    uses = frozenset({"links", "examples", "rules"})
    prompts = frozenset({"answer_view", "reason"})

    def __init__(self, settings: GenerateViewsSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.views = [SchemaView.parse(text) for text in settings.views]
        self.fall_back = settings.fall_back
        self.generate: Any = (GenerateReasoned if settings.reasoned else GenerateDirect)(section_order)
        self.reasoned = settings.reasoned

    def forward(self, episode: Episode) -> None:
        """Write the candidates and run them."""
        candidates = run_all(self._written(episode, self.views), episode)
        if self.fall_back:
            candidates = self._again(candidates, episode)
        episode.reasoning.candidates = candidates

    def _written(self, episode: Episode, views: Sequence[SchemaView]) -> tuple[Candidate, ...]:
        question, reasoning = episode.question, episode.reasoning
        shown = {str(view): episode.view(view) for view in views}
        common = {"question": question.text, "evidence": question.evidence, "rules": reasoning.shown_rules}
        if self.reasoned:
            made = self.generate(views=shown, schema=episode.database.schema(), **common)
            reasoning.parsed = made.parsed
        else:
            made = self.generate(views=shown, examples=reasoning.examples, **common)
        candidates: tuple[Candidate, ...] = made.candidates
        return candidates

    def _again(self, candidates: Sequence[Candidate], episode: Episode) -> tuple[Candidate, ...]:
        """The candidates, those that a cut schema has misled written anew from the whole one."""
        kept = []
        for candidate in candidates:
            view = SchemaView.parse(candidate.view)
            misled = candidate.result is not None and candidate.result.status in (
                "unknown_table",
                "unknown_column",
            )
            if misled and view.reduction != "none" and episode.reasoning.links:
                anew = self._written(episode, [SchemaView(view.format)])
                kept += [replace(again, label=candidate.label) for again in run_all(anew, episode)]
            else:
                kept.append(candidate)
        return tuple(kept)


class ReasonViewsStep(Step):
    """Writes and runs one reasoned candidate for each view, to learn from."""

    moment = Moment.LEARN
    settings_type = ViewsSettings
    gives = frozenset({"reasoned"})
    uses = frozenset({"links", "rules"})
    prompts = frozenset({"reason"})

    def __init__(self, settings: ViewsSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.views = [SchemaView.parse(text) for text in settings.views]
        self.generate = GenerateReasoned(section_order)

    def forward(self, episode: Episode) -> None:
        """Write the candidates and run them."""
        question, reasoning = episode.question, episode.reasoning
        made = self.generate(
            views={str(view): episode.view(view) for view in self.views},
            schema=episode.database.schema(),
            question=question.text,
            evidence=question.evidence,
            rules=reasoning.shown_rules,
        )
        reasoning.reasoned, reasoning.parsed = run_all(made.candidates, episode), made.parsed


def run_all(candidates: Sequence[Candidate], episode: Episode) -> tuple[Candidate, ...]:
    """The candidates with their results."""
    return tuple(replace(c, result=observe(c.sql, episode.database)) for c in candidates)
