"""Steps: recall from one pool, whatever the polarity, or from the reflections."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from sqlmend.modules import RecallPool
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Step
from sqlmend.programs.steps._ranking import RankStepSettings, TypePolicyName
from sqlmend.programs.steps._tunable import Tunable
from sqlmend.retrievers import PoolSettings, Recalled


class RecallPoolSettings(RankStepSettings):
    """Settings of a recall from one pool; the fields are those of ``PoolSettings``."""

    top_k: Annotated[int, Tunable(low=0, high=8, step=1)] = Field(default=4, ge=0, le=100)
    type_policy: TypePolicyName = "off"


class RecallReflectionsSettings(RecallPoolSettings):
    """Settings of a recall of reflections, which hold no schema."""

    fields: Annotated[
        Literal["all", "question", "failure"], Tunable(choices=("all", "question", "failure"))
    ] = "all"


class _RecallPoolStep(Step):
    """Recalls from one pool for the attempt at hand, anew after each failed revision."""

    moment = Moment.REPAIR
    settings_type: ClassVar[type[RecallPoolSettings]] = RecallPoolSettings
    needs = frozenset({"failure_type"})
    gives = frozenset({"recalled"})
    reads_memory = True
    kinds: ClassVar[tuple[str, ...]]
    part: ClassVar[str]
    pool: ClassVar[str]

    def __init__(self, settings: RecallPoolSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.recall = RecallPool(self.kinds, PoolSettings(**settings.model_dump()))

    def current_settings(self) -> RecallPoolSettings:
        """The settings with the values that the recall's parameter has now."""
        return self.settings_type(**self.recall.tunable.dump_state())

    def forward(self, episode: Episode) -> None:
        """Recall for the last attempt; without a memory nothing is recalled."""
        if episode.memory is None or episode.retriever is None:
            return
        found = self.recall(
            question=episode.question.text,
            attempt=episode.last.execution,
            failure_type=episode.failure_type,
            memory=episode.memory,
            retriever=episode.retriever,
            draw=f"{episode.draw}:{len(episode.attempts)}",
        )
        parts: dict[str, Any] = {self.part: found.ranked, self.pool: found.pool}
        episode.recalled = replace(episode.recalled or Recalled(), **parts)


class RecallMixedStep(_RecallPoolStep):
    """Recalls repairs of either polarity from one pool by one ranking."""

    kinds = ("positive", "negative")
    part = "mixed"
    pool = "mixed_pool"


class RecallReflectionsStep(_RecallPoolStep):
    """Recalls what was thought about failures of other questions."""

    settings_type = RecallReflectionsSettings
    kinds = ("reflections",)
    part = "reflections"
    pool = "reflection_pool"
