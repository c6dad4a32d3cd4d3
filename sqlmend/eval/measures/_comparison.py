"""What of a comparison is on disk."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, NamedTuple

from sqlmend.errors import SqlmendError
from sqlmend.eval._run_folder import read_episodes, read_steps
from sqlmend.eval.comparison import StreamId, read_config
from sqlmend.eval.measures._figures import Figures, episode_figures
from sqlmend.memory import KINDS, Entry, Memory

# What figures are made from and under what conditions they were taken.
_NEEDED = frozenset(
    """
    benchmark selection questions definition regime timeout_s budget lm embedder prompts versions programs
    orders same_group pairs unit resamples seed
    """.split()
)


class Condition(NamedTuple):
    """A program under one group rule.

    Attributes:
        program: Key of the program.
        same_group: ``allow`` or ``exclude``; None for a program that reads no memory.
    """

    program: str
    same_group: str | None

    def to_dict(self) -> dict[str, Any]:
        """The two as fields of a row."""
        return self._asdict()


@dataclass(frozen=True)
class Run:
    """One finished run.

    Attributes:
        condition: Whose.
        order: Of which stream order.
        folder: Where it lies.
        episodes: Its records of ``episodes.jsonl``, in stream order.
        figures: The same in figures.
        budget: Revisions at most.
        versions: What it was finished with.
    """

    condition: Condition
    order: int
    folder: Path
    episodes: Sequence[Mapping[str, Any]]
    figures: Sequence[Figures]
    budget: int
    versions: Mapping[str, str]

    @cached_property
    def by_question(self) -> dict[str, Mapping[str, Any]]:
        """The records by question id."""
        return {episode["question_id"]: episode for episode in self.episodes}

    @cached_property
    def figures_of(self) -> dict[str, Figures]:
        """The figures by question id."""
        return {figures.question_id: figures for figures in self.figures}


class Comparison:
    """A comparison's folder, as far as it has come.

    Args:
        folder: The folder.

    Attributes:
        folder: The folder.
        config: What ``comparison.json`` says.
        conditions: The programs, each under the group rules that it has.
        runs: Finished runs by condition and order.
        missing: The others, as plain values.

    Raises:
        InputError: The folder holds no comparison.
        SqlmendError: A file is damaged, or a run is not of these questions.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.config = read_config(folder)
        if lacking := sorted(_NEEDED - self.config.keys()):
            raise SqlmendError(
                "damaged_comparison", f"the comparison.json of {folder} lacks {', '.join(lacking)}"
            )
        self.conditions = tuple(
            Condition(program["key"], rule)
            for program in self.config["programs"]
            for rule in (self.config["same_group"] if program["reads_memory"] else [None])
        )
        self.runs: dict[tuple[Condition, int], Run] = {}
        self.missing: list[dict[str, Any]] = []
        for condition in self.conditions:
            for order in self.config["orders"]:
                self._read(condition, order)

    def orders(self, *conditions: Condition) -> list[int]:
        """The orders that all of the conditions have finished."""
        return [o for o in self.config["orders"] if all((c, o) in self.runs for c in conditions)]

    def runs_of(self, condition: Condition) -> list[Run]:
        """Its finished runs, by order."""
        return [self.runs[condition, order] for order in self.orders(condition)]

    def under(self, program: str, same_group: str | None) -> Condition:
        """The program under a group rule; one that reads no memory is the same under all."""
        wanted = Condition(program, same_group)
        return wanted if wanted in self.conditions else Condition(program, None)

    @property
    def questions(self) -> Sequence[Mapping[str, Any]]:
        """The questions, with their groups."""
        questions: Sequence[Mapping[str, Any]] = self.config["questions"]
        return questions

    @cached_property
    def asked(self) -> dict[str, Mapping[str, Any]]:
        """The questions by id."""
        return {question["id"]: question for question in self.questions}

    @cached_property
    def versions(self) -> dict[str, str]:
        """What the runs were made with; of what has changed between processes all versions, in turn."""
        found: dict[str, list[str]] = {name: [known] for name, known in self.config["versions"].items()}
        for run in self.runs.values():
            for name, known in run.versions.items():
                if known not in found.setdefault(name, []):
                    found[name].append(known)
        return {name: " and ".join(known) for name, known in found.items()}

    @cached_property
    def names(self) -> dict[str, str]:
        """Names of programs by key."""
        return {program["key"]: program["name"] for program in self.config["programs"]}

    @cached_property
    def groups(self) -> dict[str, int]:
        """Groups of twins by question id."""
        return {question["id"]: question["group"] for question in self.questions}

    @cached_property
    def entries(self) -> dict[str, Entry]:
        """What the runs that recall have left or started with, by id."""
        found: dict[str, Entry] = {}
        for run in self.runs.values():
            if any(figures.recalled for figures in run.figures):
                memory = Memory(run.folder / "memory")
                found.update((record.id, record.entry) for kind in KINDS for record in memory.records(kind))
        return found

    def _read(self, condition: Condition, order: int) -> None:
        rule = condition.same_group or "allow"
        folder = StreamId(condition.program, rule, order).folder(self.folder)  # type: ignore[arg-type]
        episodes = read_episodes(folder)
        if not (folder / "summary.json").exists():
            self.missing.append(
                {**condition.to_dict(), "order": order, "done": len(episodes), "of": len(self.questions)}
            )
            return
        if sorted(e["question_id"] for e in episodes) != sorted(q["id"] for q in self.questions):
            raise SqlmendError("damaged_run", f"the episodes of {folder} are not those of its comparison")
        try:
            figures = episode_figures(episodes, read_steps(folder))
        except SqlmendError as error:
            raise SqlmendError(error.code, f"{folder}: {error.message}", hint=error.hint) from error
        budget, versions = _budget(folder), _versions(folder)
        self.runs[condition, order] = Run(condition, order, folder, episodes, figures, budget, versions)


def _budget(folder: Path) -> int:
    file = folder / "config.json"
    try:
        return int(json.loads(file.read_text("utf-8"))["program"]["budget"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise SqlmendError("damaged_run", f"{file} does not say the budget of its run: {error}") from error


def _versions(folder: Path) -> dict[str, str]:
    file = folder / "summary.json"
    try:
        return dict(json.loads(file.read_text("utf-8"))["provenance"]["versions"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError) as error:
        raise SqlmendError("damaged_run", f"{file} does not say the versions of its run: {error}") from error
