"""Steps: from candidates that disagree to rules in the memory. None of them sees a verdict."""

from __future__ import annotations

from typing import Literal

from pydantic import Field, field_validator

from sqlmend.databases.views import SchemaView
from sqlmend.memory import Rule, RuleEntry
from sqlmend.modules import ExtractLessons, ExtractRules, FilterRules, FindContradictions, MergeTree
from sqlmend.modules.rules import anchored
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class _ViewSettings(Settings):
    """Settings of a step that shows the schema in one view."""

    view: str = "m_schema/full"

    @field_validator("view")
    @classmethod
    def _known(cls, value: str) -> str:
        SchemaView.parse(value)
        return value


class MergeTreeSettings(Settings):
    """Settings of a merge.

    Attributes:
        way: ``deterministic``, or ``model``: the published way.
        threshold: The cosine from which two rephrasings mean the same; None: all do.
    """

    way: Literal["deterministic", "model"] = "deterministic"
    threshold: float | None = Field(default=None, ge=-1, le=1)


class MergeTreeStep(Step):
    """Merges the candidates that are learnt from into one tree."""

    moment = Moment.LEARN
    settings_type = MergeTreeSettings
    needs = frozenset({"candidates"})
    gives = frozenset({"tree"})
    uses = frozenset({"reasoned"})
    prompts = frozenset({"merge"})

    def __init__(self, settings: MergeTreeSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.merge = MergeTree(settings.way, settings.threshold, section_order)

    def forward(self, episode: Episode) -> None:
        """Merge."""
        reasoning = episode.reasoning
        merged = self.merge(
            candidates=reasoning.learnt_from,
            schema=episode.database.schema(),
            question=episode.question.text,
            embedder=episode.embedder,
        )
        reasoning.tree, reasoning.merged = merged.tree, merged.way


class FindContradictionsSettings(_ViewSettings):
    """Settings of the search; ``model``: whether one call adds to what is found without a model."""

    model: bool = True


class FindContradictionsStep(Step):
    """Finds contradictions of structure, schema, and execution against question."""

    moment = Moment.LEARN
    settings_type = FindContradictionsSettings
    needs = frozenset({"candidates"})
    gives = frozenset({"contradictions"})
    uses = frozenset({"reasoned", "tree"})
    prompts = frozenset({"contradictions"})

    def __init__(self, settings: FindContradictionsSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.view = SchemaView.parse(settings.view)
        self.find = FindContradictions(settings.model, section_order)

    def forward(self, episode: Episode) -> None:
        """Find."""
        reasoning, question = episode.reasoning, episode.question
        reasoning.contradictions = self.find(
            candidates=reasoning.learnt_from,
            database=episode.database,
            schema=episode.view(self.view),
            question=question.text,
            evidence=question.evidence,
            tree=reasoning.tree,
        ).contradictions


class ExtractRulesStep(Step):
    """Extracts rule units from the contradictions, or from the tree where nobody looked for any."""

    moment = Moment.LEARN
    settings_type = _ViewSettings
    needs = frozenset({"candidates"})
    gives = frozenset({"proposed"})
    uses = frozenset({"reasoned", "tree", "contradictions"})
    prompts = frozenset({"extract"})

    def __init__(self, settings: _ViewSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.view = SchemaView.parse(settings.view)
        self.extract = ExtractRules(section_order)

    def forward(self, episode: Episode) -> None:
        """Extract."""
        reasoning, question = episode.reasoning, episode.question
        reasoning.proposed = self.extract(
            contradictions=reasoning.contradictions,
            candidates=reasoning.learnt_from,
            database_schema=episode.database.schema(),
            schema=episode.view(self.view),
            question=question.text,
            evidence=question.evidence,
            tree=reasoning.tree,
        ).rules


class ExtractLessonsStep(Step):
    """Extracts free lessons from the candidates and their outcomes alone."""

    moment = Moment.LEARN
    settings_type = _ViewSettings
    needs = frozenset({"candidates"})
    gives = frozenset({"proposed"})
    uses = frozenset({"reasoned"})
    prompts = frozenset({"lesson"})

    def __init__(self, settings: _ViewSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.view = SchemaView.parse(settings.view)
        self.extract = ExtractLessons(section_order)

    def forward(self, episode: Episode) -> None:
        """Extract."""
        reasoning, question = episode.reasoning, episode.question
        reasoning.proposed = self.extract(
            candidates=reasoning.learnt_from,
            schema=episode.view(self.view),
            question=question.text,
            evidence=question.evidence,
        ).rules


class FilterRulesSettings(_ViewSettings):
    """Settings of the gate.

    Attributes:
        model: Whether the model judges what passes without one.
        bound: Whether rules must be bound to the schema.
    """

    model: bool = True
    bound: bool = True


class FilterRulesStep(Step):
    """Lets through what schema, data, the rules of earlier questions and the model agree to."""

    moment = Moment.LEARN
    settings_type = FilterRulesSettings
    needs = frozenset({"proposed"})
    gives = frozenset({"judged"})
    reads_memory = True
    prompts = frozenset({"filter"})

    def __init__(self, settings: FilterRulesSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.view = SchemaView.parse(settings.view)
        self.bound = settings.bound
        self.filter = FilterRules(settings.model, settings.bound, section_order)

    def forward(self, episode: Episode) -> None:
        """Judge the proposed rules."""
        reasoning = episode.reasoning
        reasoning.judged = self.filter(
            rules=reasoning.proposed,
            known=self._known(episode),
            database=episode.database,
            schema=episode.view(self.view),
        ).judged

    def _known(self, episode: Episode) -> list[Rule]:
        """The rules of earlier questions that fit the schema."""
        if episode.memory is None:
            return []
        rules = [record.entry.rule for record in episode.memory.pool("rules")]
        return [rule for rule in rules if not self.bound or anchored(rule.anchors, episode.database.schema())]


class KeepRulesStep(Step):
    """Leaves the rules that passed the gate in the memory; all of them where there is none."""

    moment = Moment.LEARN
    needs = frozenset({"proposed"})
    uses = frozenset({"judged"})

    def forward(self, episode: Episode) -> None:
        """Add the rules to the episode's commit."""
        question, reasoning = episode.question, episode.reasoning
        origins = {f"{finding.kind}/{finding.code}": None for finding in reasoning.contradictions or ()}
        episode.commit += [
            RuleEntry(
                question_id=question.id,
                question=question.text,
                db_id=question.db_id,
                schema_fingerprint=episode.database.schema().fingerprint,
                origin=", ".join(origins),
                rule=rule,
            )
            for rule in reasoning.kept
        ]
