"""Step: rules of earlier questions."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from sqlmend.modules import RecallRules
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Step
from sqlmend.programs.steps._ranking import RELIABLE_TYPES, DenseWeight, RankStepSettings
from sqlmend.programs.steps._tunable import Tunable
from sqlmend.retrievers import PoolSettings


class RecallRulesSettings(RankStepSettings):
    """Settings of a recall of rules: cosine alone, over all types, of those that are in the schema.

    A question has no type, and the rules of one program have all one or all none: what is set about types
    changes nothing, and no tuner looks there.
    """

    dense: DenseWeight = 1.0
    lexical: float = Field(default=0.0, ge=0, le=1)
    fields: Literal["all"] = "all"  # a rule is searched by its own text
    type_policy: Literal["hard", "off", "reliability"] = "off"
    min_same_type: int = Field(default=3, ge=1)
    reliable_types: tuple[str, ...] = RELIABLE_TYPES
    type_bonus: float = Field(default=0.10, ge=0, le=1)
    top_k: Annotated[int, Tunable(low=0, high=10, step=1)] = Field(default=5, ge=0, le=100)
    bound: bool = True


class RecallRulesStep(Step):
    """Recalls rules whose anchors are in the schema, for all prompts of the episode."""

    moment = Moment.ANSWER
    settings_type = RecallRulesSettings
    gives = frozenset({"rules"})
    reads_memory = True

    def __init__(self, settings: RecallRulesSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.bound = settings.bound
        self.recall = RecallRules(PoolSettings(**settings.model_dump(exclude={"bound"})), settings.bound)

    def current_settings(self) -> RecallRulesSettings:
        """The settings with the values that the recall's parameter has now."""
        return RecallRulesSettings(**self.recall.tunable.dump_state(), bound=self.bound)

    def forward(self, episode: Episode) -> None:
        """Recall for the question; without a memory nothing is recalled."""
        if episode.memory is None or episode.retriever is None:
            return
        question = episode.question
        found = self.recall(
            question="\n".join(filter(None, (question.text, question.evidence))),
            schema=episode.database.schema(),
            memory=episode.memory,
            retriever=episode.retriever,
            draw=episode.draw,
        )
        episode.reasoning.rules, episode.reasoning.rule_pool = found.ranked, found.pool
