"""Step: cards of earlier questions."""

from __future__ import annotations

from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from sqlmend.modules import OwnCards, RecallCards
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Step
from sqlmend.programs.steps._ranking import DenseWeight, RankStepSettings, ScopeName, TypePolicyName
from sqlmend.programs.steps._tunable import Tunable
from sqlmend.retrievers import PoolSettings, Recalled


class RecallCardsSettings(RankStepSettings):
    """Settings of a recall of cards: cosine of question to key alone, from the same database.

    Attributes:
        top_k: Most cards that are recalled.
        own: ``allow``: a card of the question itself may be recalled as well. In a measurement that is replay
            alone: anywhere else it shows a question its own answer.
        seed: Seeds a ``random`` ranking, beside the stream's order and the question.
    """

    dense: DenseWeight = 1.0
    lexical: float = Field(default=0.0, ge=0, le=1)
    fields: Literal["all"] = "all"  # a card is searched by its key
    type_policy: TypePolicyName = "off"
    scope: ScopeName = "same_database"
    top_k: Annotated[int, Tunable(low=0, high=10, step=1)] = Field(default=5, ge=0, le=100)
    own: OwnCards = "exclude"
    seed: int = Field(default=0, ge=0)


class RecallCardsStep(Step):
    """Recalls cards that are near to the question, for the initial query."""

    moment = Moment.ANSWER
    settings_type = RecallCardsSettings
    gives = frozenset({"cards"})
    reads_memory = True
    settings: RecallCardsSettings

    def __init__(self, settings: RecallCardsSettings, section_order: str) -> None:
        super().__init__(settings, section_order)
        ranking = settings.model_dump(exclude={"own", "seed"})
        self.recall = RecallCards(PoolSettings(**ranking), settings.own)

    def current_settings(self) -> RecallCardsSettings:
        """The settings with the values that the recall's parameter has now."""
        own, seed = self.settings.own, self.settings.seed
        return RecallCardsSettings(**self.recall.tunable.dump_state(), own=own, seed=seed)

    def forward(self, episode: Episode) -> None:
        """Recall for the question; without a memory nothing is recalled."""
        if episode.memory is None or episode.retriever is None:
            return
        found = self.recall(
            question=episode.question.text,
            memory=episode.memory,
            retriever=episode.retriever,
            draw=f"{episode.draw}:{self.settings.seed}",
        )
        episode.recalled = replace(episode.recalled or Recalled(), cards=found.ranked, card_pool=found.pool)
