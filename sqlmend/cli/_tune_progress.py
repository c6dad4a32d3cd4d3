"""How far a study is: a bar of trials on stderr, with the trial at hand and the best so far."""

from __future__ import annotations

from types import TracebackType
from typing import TYPE_CHECKING, Self

from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeElapsedColumn

from sqlmend._text import for_terminal
from sqlmend.cli._frame import console

if TYPE_CHECKING:
    from sqlmend.optimize import TrialEvent


class TuneProgress:
    """An observer of a search that draws its progress.

    Args:
        title: What is tuned.
        total: How many trials there will be.
    """

    def __init__(self, title: str, total: int) -> None:
        self._bar = Progress(
            TextColumn("{task.description}", markup=False),
            BarColumn(bar_width=24),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[words]}", markup=False),
            console=console,
        )
        self._task: TaskID = self._bar.add_task(for_terminal(title, 40), total=total, words="")

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, event: TrialEvent) -> None:
        """Show how far the trial of this process is."""
        best = "-" if event.best is None else f"{event.best:.1%}"
        words = f"best EX {best}, trial {event.number}: {event.asked}/{event.total} {event.ex:.1%}"
        self._bar.update(self._task, completed=event.done, words=words)
