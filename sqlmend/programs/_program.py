"""The program: runs a preset's list of steps and its budget, and nothing else."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import dspy

from sqlmend.errors import InputError
from sqlmend.models import Usage, meter
from sqlmend.programs._episode import Draft, Episode
from sqlmend.programs._failures import of_one_question
from sqlmend.programs._load import bundled_presets, load_preset, override
from sqlmend.programs._preset import Preset, preset_from_data
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

    def dump_state(self, json_mode: bool = True) -> dict[str, Any]:
        """The parameters as DSPy has them, and as ``preset`` every setting that the program was made with."""
        state: dict[str, Any] = super().dump_state(json_mode=json_mode)
        return {**state, "preset": self.preset.to_data()}

    def load_state(self, state: Mapping[str, Any], *, allow_unsafe_lm_state: bool = False) -> None:
        """The reverse of ``dump_state``: settings and parameters.

        A state without a preset, of an earlier version, has parameters alone.

        Raises:
            InputError: It is the state of a program of other steps, or a setting is not valid; the program
                stays as it is.
        """
        loaded = (
            self if "preset" not in state else self._remade(preset_from_data(state["preset"], "the state"))
        )
        super(RepairProgram, loaded).load_state(state, allow_unsafe_lm_state=allow_unsafe_lm_state)
        self.preset, self.steps = loaded.preset, loaded.steps

    def _remade(self, preset: Preset) -> RepairProgram:
        """A copy with other settings; the parameters of a step that changes are as they are made."""
        own, theirs = ([spec.name for spec in one.steps] for one in (self.preset, preset))
        if own != theirs:
            known = preset.name in bundled_presets() or not preset.base
            raise InputError(
                "other_steps",
                f"the state is of {preset.name} with the steps {', '.join(theirs)}; {self.preset.name} has"
                f" {', '.join(own)}",
                hint=f"load it into {preset.name if known else preset.base}",
            )
        made = RepairProgram(preset)
        if preset.section_order == self.preset.section_order:
            for place, (before, after) in enumerate(zip(self.preset.steps, preset.steps, strict=True)):
                if before.settings == after.settings:
                    made.steps[place] = self.steps[place].deepcopy()
        return made

    @property
    def reads_memory(self) -> bool:
        """Whether a step needs a view of memory and a retriever."""
        return any(step.reads_memory for step in self.steps)

    @property
    def writes_memory(self) -> bool:
        """Whether a step leaves entries for later episodes."""
        return any(step.writes_memory for step in self.steps)

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
            SqlmendError: The language model failed, or a prompt does not fit its context. Where only
                learning fails, and over this question alone, the answer stays and the episode goes on.
        """
        if episode.initial_sql is None:
            self._run(Moment.ANSWER, episode, on_step)
        else:
            episode.draft = Draft(episode.initial_sql)
        if learn:
            self._learn(episode, on_step)
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

    def _learn(self, episode: Episode, on_step: Callable[[StepDone], None] | None) -> None:
        """Run the steps that learn; where one fails over this question, nothing of it is learnt.

        The answer is written by then, and a program that learns must not lose what its baseline keeps.
        """
        before = len(episode.commit)
        try:
            self._run(Moment.LEARN, episode, on_step)
        except Exception as failure:
            if not of_one_question(failure):
                raise
            del episode.commit[before:]
            episode.unlearnt = failure

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
