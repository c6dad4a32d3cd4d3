"""Steps: from candidates that disagree to rules in the memory. None of them sees a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field, field_validator

from sqlmend.databases.views import SchemaView
from sqlmend.memory import Rule, RuleEntry
from sqlmend.modules import ExtractLessons, ExtractRules, FilterRules, FindContradictions, MergeTree
from sqlmend.modules.contradictions import Finding, about
from sqlmend.modules.rules import anchored
from sqlmend.modules.tree import Candidate
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import AnswerSettings, Moment, Settings, Step
from sqlmend.programs.steps._ranking import SameGroupName
from sqlmend.programs.steps._schema_shown import discussed, misled


class _ViewSettings(Settings):
    """Settings of a step that shows the schema in one view, cut to what it discusses."""

    view: str = "m_schema/columns"

    @field_validator("view")
    @classmethod
    def _known(cls, value: str) -> str:
        SchemaView.parse(value)
        return value


class _ReadingSettings(_ViewSettings, AnswerSettings):
    """Settings of a step in which a model reads the candidates and writes what it makes of them."""


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


class FindContradictionsSettings(_ReadingSettings):
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
        self.find = FindContradictions(settings.model, section_order, settings.max_tokens)

    def forward(self, episode: Episode) -> None:
        """Find."""
        reasoning, question = episode.reasoning, episode.question
        reasoning.contradictions = self.find(
            candidates=(fair := _fair(episode)),
            database=episode.database,
            schema=episode.view(self.view, discussed(episode, fair)),
            question=question.text,
            evidence=question.evidence,
            tree=reasoning.tree,
            facts=episode.facts,
        ).contradictions


class ExtractRulesSettings(_ReadingSettings):
    """Settings of an extraction; ``bound``: whether rules keep the anchors that they are written with."""

    bound: bool = True


class ExtractRulesStep(Step):
    """Extracts rule units from the contradictions, or from the tree where nobody looked for any."""

    moment = Moment.LEARN
    settings_type = ExtractRulesSettings
    needs = frozenset({"candidates"})
    gives = frozenset({"proposed"})
    uses = frozenset({"reasoned", "tree", "contradictions"})
    prompts = frozenset({"extract"})

    def __init__(self, settings: ExtractRulesSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.view = SchemaView.parse(settings.view)
        self.extract = ExtractRules(settings.bound, section_order, settings.max_tokens)

    def forward(self, episode: Episode) -> None:
        """Extract."""
        reasoning, question = episode.reasoning, episode.question
        reasoning.proposed = self.extract(
            contradictions=reasoning.contradictions,
            candidates=(fair := _fair(episode)),
            database_schema=episode.database.schema(),
            schema=episode.view(self.view, discussed(episode, fair)),
            question=question.text,
            evidence=question.evidence,
            tree=reasoning.tree,
        ).rules


class ExtractLessonsStep(Step):
    """Extracts free lessons from the candidates and their outcomes alone."""

    moment = Moment.LEARN
    settings_type = _ReadingSettings
    needs = frozenset({"candidates"})
    gives = frozenset({"proposed"})
    uses = frozenset({"reasoned"})
    prompts = frozenset({"lesson"})

    def __init__(self, settings: _ReadingSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.view = SchemaView.parse(settings.view)
        self.extract = ExtractLessons(section_order, settings.max_tokens)

    def forward(self, episode: Episode) -> None:
        """Extract."""
        reasoning, question = episode.reasoning, episode.question
        reasoning.proposed = self.extract(
            candidates=(fair := _fair(episode)),
            schema=episode.view(self.view, discussed(episode, fair)),
            question=question.text,
            evidence=question.evidence,
        ).rules


class FilterRulesSettings(_ViewSettings):
    """Settings of the gate.

    Attributes:
        model: Whether the model judges what passes without one.
        bound: Whether rules must be bound to the schema.
        same_group: ``exclude`` passes over what the question's paraphrases have left, as the recalls do.
    """

    model: bool = True
    bound: bool = True
    same_group: SameGroupName = "allow"


class FilterRulesStep(Step):
    """Lets through what schema, data, the rules of earlier questions and the model agree to."""

    moment = Moment.LEARN
    settings_type = FilterRulesSettings
    needs = frozenset({"proposed"})
    gives = frozenset({"judged"})
    reads_memory = True
    prompts = frozenset({"filter"})
    settings: FilterRulesSettings

    def __init__(self, settings: FilterRulesSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.view = SchemaView.parse(settings.view)
        self.filter = FilterRules(settings.model, settings.bound, section_order)

    def forward(self, episode: Episode) -> None:
        """Judge the proposed rules."""
        reasoning = episode.reasoning
        anchors = [anchor for rule in reasoning.proposed for anchor in rule.anchors]
        reasoning.judged = self.filter(
            rules=reasoning.proposed,
            known=self._known(episode),
            database=episode.database,
            schema=episode.view(self.view, discussed(episode, _fair(episode), anchors)),
            facts=episode.facts,
        ).judged

    def _known(self, episode: Episode) -> list[Rule]:
        """The rules of earlier questions that fit the schema."""
        if episode.memory is None:
            return []
        pool = episode.memory.pool("rules", same_group=self.settings.same_group)
        rules, schema = [record.entry.rule for record in pool], episode.database.schema()
        return [rule for rule in rules if not self.settings.bound or anchored(rule.anchors, schema)]


class KeepRulesStep(Step):
    """Leaves the rules that passed the gate in the memory; all of them where there is none."""

    moment = Moment.LEARN
    needs = frozenset({"proposed"})
    uses = frozenset({"judged"})
    writes_memory = True

    def forward(self, episode: Episode) -> None:
        """Add the rules to the episode's commit."""
        question, reasoning = episode.question, episode.reasoning
        episode.commit += [
            RuleEntry(
                question_id=question.id,
                question=question.text,
                db_id=question.db_id,
                schema_fingerprint=episode.database.schema().fingerprint,
                origin=_origin(rule, reasoning.contradictions or ()),
                rule=rule,
            )
            for rule in reasoning.kept
        ]


def _origin(rule: Rule, findings: Sequence[Finding]) -> str:
    """The contradictions about what a rule is bound to; all of its question where none is about that."""
    own = about(rule.anchors, findings) or findings
    return ", ".join(dict.fromkeys(f"{finding.kind}/{finding.code}" for finding in own))


def _fair(episode: Episode) -> tuple[Candidate, ...]:
    """The candidates that something is to be learnt from: not those whose fault is that of their cut view."""
    return tuple(c for c in episode.reasoning.learnt_from if not misled(c, episode))
