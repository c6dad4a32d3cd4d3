"""How far a crystallization study is: a bar for each piece that runs, and one for the stage."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

from rich.progress import TaskID

from sqlmend._text import for_terminal
from sqlmend.cli._progress import bars
from sqlmend.eval import EpisodeDone, read_episodes
from sqlmend.eval.crystallization import Piece
from sqlmend.programs import StepDone


class StudyProgress:
    """An observer of a study that draws its progress on stderr; threads may share it.

    Args:
        folder: The study's folder: what an earlier process finished counts as done.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._bar = bars()
        self._all: TaskID | None = None
        self._pieces: dict[Piece, TaskID] = {}
        self._done: dict[Piece, int] = {}

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def begin(self, pieces: Sequence[Piece]) -> None:
        """A stage begins."""
        total = sum(len(piece.ids) for piece in pieces)
        self._done = {}
        self._all = self._bar.add_task(f"{len(pieces)} runs", total=total, words="")
        for piece in pieces:
            done = len(read_episodes(piece.folder(self._folder)))
            task = self._bar.add_task(
                for_terminal(str(piece), 60),
                total=len(piece.ids),
                completed=done,
                words="",
                visible=False,
                start=False,
            )
            self._pieces[piece] = task
            self._count(piece, done)

    def __call__(self, piece: Piece, event: StepDone | EpisodeDone) -> None:
        """Show a finished step or episode."""
        task = self._pieces[piece]
        if isinstance(event, StepDone):
            self._bar.start_task(task)
            self._bar.update(task, visible=True, words=event.step)
            return
        done = event.record["position"] + 1
        self._bar.update(task, completed=done, visible=done < event.total)
        self._count(piece, done)

    def _count(self, piece: Piece, done: int) -> None:
        """So many of a piece are done; what failed last may run again on a resume."""
        self._done[piece] = done
        if self._all is not None:
            self._bar.update(self._all, completed=sum(self._done.values()))
