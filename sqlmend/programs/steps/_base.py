"""What every step of a program is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from enum import Enum
from typing import Any, ClassVar

import dspy
from pydantic import BaseModel, ConfigDict, Field

from sqlmend.programs._episode import Episode


class Moment(Enum):
    """When a step runs."""

    ANSWER = "answer"
    """Once, where no initial query is given."""
    LEARN = "learn"
    """Once, when the answer is written and before it is judged: nothing that learns here sees a verdict."""
    FAILED = "failed"
    """After every failed attempt, the initial and the last included."""
    REPAIR = "repair"
    """After a failed attempt, while the budget lasts."""
    FINISH = "finish"
    """Once, when the episode is final."""


class Settings(BaseModel):
    """Settings of a step: checked, frozen, no unknown names.

    Attributes:
        idle: Settings to values with which, all together, the step does nothing, whatever its others are.
    """

    idle: ClassVar[Mapping[str, tuple[Any, ...]]] = {}

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class AnswerSettings(Settings):
    """Settings of a step whose answer may have a limit of its own.

    Attributes:
        max_tokens: Limit of the answer in tokens; None: the model's own.
    """

    max_tokens: int | None = Field(default=None, ge=1)


class Step(dspy.Module):
    """One step over the episode's state.

    A subclass sets the class attributes, takes (settings, section order) and implements ``forward``.

    Attributes:
        moment: When it runs.
        settings_type: The model of its settings.
        needs: Facts that an earlier step of the list has to provide.
        gives: Facts that it provides.
        uses: Facts that it takes where a step gives them; such a step has to come before it.
        drafts: Whether it writes the query that is run next.
        reads_memory: Whether it needs a view of memory and a retriever.
        writes_memory: Whether it adds to what the episode leaves (``Episode.commit``).
        prompts: Names of the prompts that it sends, beside those that every program shares.
    """

    moment: ClassVar[Moment]
    settings_type: ClassVar[type[Settings]] = Settings
    needs: ClassVar[frozenset[str]] = frozenset()
    gives: ClassVar[frozenset[str]] = frozenset()
    uses: ClassVar[frozenset[str]] = frozenset()
    drafts: ClassVar[bool] = False
    reads_memory: ClassVar[bool] = False
    writes_memory: ClassVar[bool] = False
    prompts: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, settings: Settings, section_order: str) -> None:
        super().__init__()
        self.settings = settings

    def current_settings(self) -> Settings:
        """The settings as they are now: those of a parameter may have been loaded or tuned since."""
        return self.settings

    @abstractmethod
    def forward(self, episode: Episode) -> None:
        """Read and write the episode's state."""
