"""How far a stream is: a bar on stderr with EX so far, repairs and tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Any, Self

from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)

from sqlmend._text import for_terminal
from sqlmend.cli._frame import console
from sqlmend.cli._tally import Tally
from sqlmend.eval import EpisodeDone
from sqlmend.programs import StepDone


def bars() -> Progress:
    """Bars on stderr; the field ``words`` of each task says more."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=20),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[words]}", markup=False),
        console=console,
    )


class StreamProgress:
    """An observer of a stream that draws its progress.

    Args:
        title: What runs.
        total: How many questions the stream has.
        done: Records of the episodes that an earlier process finished.
    """

    def __init__(self, title: str, total: int, done: Sequence[Mapping[str, Any]] = ()) -> None:
        self._bar = bars()
        self._task: TaskID = self._bar.add_task(for_terminal(title, 40), total=total, words="")
        self._tokens = 0
        self._tally = Tally()
        for record in done:
            self._tokens += record["prompt_tokens"] + record["output_tokens"]
            self._count(record)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, event: StepDone | EpisodeDone) -> None:
        """Count a finished step or episode."""
        if isinstance(event, StepDone):
            self._tokens += event.usage.prompt_tokens + event.usage.output_tokens
            self._bar.update(self._task, words=self._words(event.step))
            return
        self._count(event.record)

    def _count(self, record: Mapping[str, Any]) -> None:
        self._tally.count(record)
        self._bar.update(self._task, completed=record["position"] + 1, words=self._words(""))

    def _words(self, step: str) -> str:
        tally = self._tally
        ex = f"EX {tally.after / len(tally):.1%}" if tally else "EX -"
        repaired = tally.after - tally.before
        return f"{ex}, {repaired} repaired, {self._tokens:,} tokens {step}"
