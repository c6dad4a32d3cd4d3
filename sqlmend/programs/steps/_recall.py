"""Step: recall what earlier repairs taught."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from pydantic import Field

from sqlmend.modules import Recall
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step
from sqlmend.programs.steps._ranking import RankStepSettings
from sqlmend.programs.steps._tunable import Tunable
from sqlmend.retrievers import Recalled, RecallSettings


class TopK(Settings):
    """How many memories of each polarity are recalled at most."""

    positive: Annotated[int, Tunable(low=0, high=8, step=1)] = Field(default=3, ge=0, le=100)
    negative: Annotated[int, Tunable(low=0, high=4, step=1)] = Field(default=1, ge=0, le=100)


class RecallStepSettings(RankStepSettings):
    """Settings of a recall by polarity; the fields are those of ``RecallSettings``."""

    idle: ClassVar[Mapping[str, tuple[Any, ...]]] = {"top_k.positive": (0,), "top_k.negative": (0,)}

    top_k: TopK = TopK()


class RecallStep(Step):
    """Recalls positives and negatives for the attempt at hand, anew after each failed revision."""

    moment = Moment.REPAIR
    settings_type = RecallStepSettings
    needs = frozenset({"failure_type"})
    gives = frozenset({"recalled"})
    reads_memory = True

    def __init__(self, settings: RecallStepSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        values = settings.model_dump()
        top_k = values.pop("top_k")
        self.recall = Recall(
            RecallSettings(top_k_positive=top_k["positive"], top_k_negative=top_k["negative"], **values)
        )

    def current_settings(self) -> RecallStepSettings:
        """The settings with the values that the recall's parameter has now."""
        values = self.recall.tunable.dump_state()
        top_k = {name: values.pop(f"top_k_{name}") for name in ("positive", "negative")}
        return RecallStepSettings(top_k=TopK(**top_k), **values)

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
        ).recalled
        episode.recalled = replace(
            episode.recalled or Recalled(),
            positives=found.positives,
            negatives=found.negatives,
            positive_pool=found.positive_pool,
            negative_pool=found.negative_pool,
        )
