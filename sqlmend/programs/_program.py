"""The program: runs a preset's list of steps and its budget, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dspy

from sqlmend.models import Usage, meter
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs._load import load_preset, override
from sqlmend.programs._preset import Preset
from sqlmend.programs.steps import STEPS, Moment, Step


@dataclass(frozen=True)
class StepDone:
    """One finished step of an episode.

    Attributes:
        step: Its name; ``observe`` is the run and judgement of a query.
        attempt: How many attempts the episode had when it ended.
        seconds: Wall time in seconds.
        usage: What the language model was asked meanwhile.
    """

    step: str
    attempt: int
    seconds: float
    usage: Usage


class RepairProgram(dspy.Module):
    """Runs a preset over one episode.

    Args:
        preset: The steps, their settings and the budget.
    """

    def __init__(self, preset: Preset) -> None:
        super().__init__()
        self.preset = preset
        self.steps: list[Step] = [
            STEPS[spec.name](spec.settings, preset.section_order) for spec in preset.steps
        ]

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RepairProgram):
            return NotImplemented
        return self.preset == other.preset and self.dump_state() == other.dump_state()

    def __hash__(self) -> int:
        return hash(self.preset.name)

    @property
    def reads_memory(self) -> bool:
        """Whether a step needs a view of memory and a retriever."""
        return any(step.reads_memory for step in self.steps)

    @property
    def prompts(self) -> frozenset[str]:
        """Names of the prompts that its steps send, beside those that every program shares."""
        return frozenset().union(*(step.prompts for step in self.steps))

    def forward(
        self,
        episode: Episode,
        on_step: Callable[[StepDone], None] | None = None,
        *,
        learn: bool = True,
    ) -> dspy.Prediction:
        """Run the episode to its end; its state holds the attempts and the commit.

        Args:
            episode: A fresh episode.
            on_step: Told of every finished step before the next begins.
            learn: Whether the steps run that learn without a verdict; what they leave is in the commit.

        Returns:
            A prediction with ``sql`` (the last attempt's), ``solved`` and ``attempts``.

        Raises:
            SqlmendError: The language model failed, or a prompt does not fit its context.
        """
        if episode.initial_sql is None:
            self._run(Moment.ANSWER, episode, on_step)
        else:
            episode.draft = Draft(episode.initial_sql)
        if learn:
            self._run(Moment.LEARN, episode, on_step)
        self._observe(episode, on_step)
        while not (episode.solved or episode.undecidable):
            self._run(Moment.FAILED, episode, on_step)
            if len(episode.attempts) > self.preset.budget:
                break
            self._run(Moment.REPAIR, episode, on_step)
            if episode.final or episode.draft is None:
                break  # a step gave the episode up
            self._observe(episode, on_step)
        if not episode.undecidable:
            self._run(Moment.FINISH, episode, on_step)
        return dspy.Prediction(
            sql=episode.last.execution.sql, solved=episode.solved, attempts=tuple(episode.attempts)
        )

    def _run(self, moment: Moment, episode: Episode, on_step: Callable[[StepDone], None] | None) -> None:
        for spec, step in zip(self.preset.steps, self.steps, strict=True):
            if episode.final and moment is Moment.REPAIR:
                return
            if step.moment is moment:
                self._timed(spec.name, step, episode, on_step)

    def _observe(self, episode: Episode, on_step: Callable[[StepDone], None] | None) -> None:
        self._timed("observe", Episode.observe, episode, on_step)

    def _timed(
        self,
        name: str,
        run: Callable[[Episode], Any],
        episode: Episode,
        on_step: Callable[[StepDone], None] | None,
    ) -> None:
        start = time.perf_counter()
        with meter() as usage:
            run(episode)
        if on_step is not None:
            on_step(StepDone(name, len(episode.attempts), time.perf_counter() - start, usage))


def load_program(source: str | Path, overrides: Iterable[str] = ()) -> RepairProgram:
    """The program of a preset's name or YAML file.

    Args:
        source: A name as ``sqlmend programs list`` shows it, or the path of a YAML file.
        overrides: Settings to replace, each as ``path=value``.

    Raises:
        InputError: The name is unknown, or the file or a setting is not valid.
    """
    return RepairProgram(override(load_preset(source), overrides))
