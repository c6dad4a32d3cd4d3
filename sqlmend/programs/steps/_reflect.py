"""Step: think about the failure."""

from __future__ import annotations

from sqlmend.memory import ReflectionEntry
from sqlmend.modules import Reflect, cap_execution
from sqlmend.programs._episode import Episode
from sqlmend.programs.steps._base import Moment, Settings, Step


class ReflectStep(Step):
    """Reflects on the attempt at hand: for the episode's next prompts, and for later episodes' memory."""

    moment = Moment.FAILED
    needs = frozenset({"failure_type"})
    gives = frozenset({"reflections"})
    writes_memory = True

    def __init__(self, settings: Settings, section_order: str) -> None:
        super().__init__(settings, section_order)
        self.reflect = Reflect(section_order)

    def forward(self, episode: Episode) -> None:
        """Add one reflection, unless the model had nothing to say."""
        question, last = episode.question, episode.last
        text = self.reflect(
            schema=episode.schema,
            question=question.text,
            evidence=question.evidence,
            history=episode.history,
            failure_type=episode.failure_type,
        ).reflection
        if text:
            episode.reflections.append(text)
            episode.commit.append(
                ReflectionEntry(
                    question_id=question.id,
                    question=question.text,
                    db_id=question.db_id,
                    attempt=cap_execution(last.execution),
                    failure_type=episode.failure_type,
                    text=text,
                )
            )
