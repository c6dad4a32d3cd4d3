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
from sqlmend.programs._failures import of_one_question
from sqlmend.programs.steps._base import Moment, Settings, Step
from sqlmend.programs.steps._schema_shown import misled


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
        fall_back: Where a name is unknown that the schema has and a view was cut of, ask once more with the
            whole one.
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
        parsed: dict[str, str] = {}
        candidates = self._written(self.views, parsed, episode)
        if self.fall_back:
            candidates = self._again(candidates, parsed, episode)
        episode.reasoning.candidates = candidates
        episode.reasoning.parsed = {c.label: parsed[c.label] for c in candidates if c.label in parsed}

    def _written(
        self, views: Sequence[SchemaView], parsed: dict[str, str], episode: Episode
    ) -> tuple[Candidate, ...]:
        """A candidate of each view, run; how well reasoned ones were written goes into ``parsed``."""
        question, reasoning = episode.question, episode.reasoning
        schema = {"schema": episode.database.schema()} if self.reasoned else {}
        made = self.generate(
            views={str(view): episode.view(view) for view in views},
            question=question.text,
            evidence=question.evidence,
            examples=reasoning.examples,
            rules=reasoning.shown_rules,
            **schema,
        )
        parsed |= made.parsed if self.reasoned else {}
        return run_all(made.candidates, episode)

    def _again(
        self, candidates: Sequence[Candidate], parsed: dict[str, str], episode: Episode
    ) -> tuple[Candidate, ...]:
        """The candidates, those that a cut schema has misled written anew from the whole one.

        No schema is asked with twice: where another candidate was written from that whole schema, the
        misled one is left out, and the two are one vote. Where the new prompt fails, the old candidate stays.
        """
        asked = {episode.view(SchemaView.parse(candidate.view)) for candidate in candidates}
        failed: set[str] = set()
        kept: list[Candidate] = []
        for candidate in candidates:
            whole = SchemaView(SchemaView.parse(candidate.view).format)
            text = episode.view(whole)
            if not misled(candidate, episode) or text in failed:
                kept.append(candidate)
            elif text not in asked:
                anew = self._anew(candidate, whole, parsed, episode)
                (failed if anew is None else asked).add(text)
                kept.append(anew or candidate)
        return tuple(kept)

    def _anew(
        self, candidate: Candidate, view: SchemaView, parsed: dict[str, str], episode: Episode
    ) -> Candidate | None:
        """A candidate of that view in the place of another; None where it cannot be had."""
        how: dict[str, str] = {}
        try:
            (anew,) = self._written([view], how, episode)
        except Exception as failure:
            if not of_one_question(failure):
                raise
            return None
        for found in how.values():
            parsed[candidate.label] = found
        return replace(anew, label=candidate.label)


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
    return tuple(replace(c, result=observe(c.sql, episode.database, episode.timeout_s)) for c in candidates)
