"""How far the streams of a comparison are: a bar for each that runs, and one for all."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import TracebackType
from typing import Self

from rich.progress import TaskID

from sqlmend._text import for_terminal
from sqlmend.cli._progress import bars
from sqlmend.cli._tally import Tally
from sqlmend.eval import EpisodeDone, read_episodes
from sqlmend.eval.comparison import ComparisonRequest, StreamId
from sqlmend.programs import StepDone


@dataclass
class _Stream:
    """What is known of one stream; only its own thread changes it."""

    task: TaskID
    tally: Tally = field(default_factory=Tally)

    @property
    def words(self) -> str:
        n = len(self.tally)
        return f"EX {self.tally.before / n:.1%} -> {self.tally.after / n:.1%}" if n else "EX -"


class ComparisonProgress:
    """An observer of a comparison that draws its progress on stderr; threads may share it.

    A stream has a bar while it runs and a line when it is finished.

    Args:
        request: The comparison.
    """

    def __init__(self, request: ComparisonRequest) -> None:
        self._bar = bars()
        self._length = len(request.benchmark.questions)
        total = self._length * len(request.streams)
        title = f"{len(request.streams)} streams"
        self._all = self._bar.add_task(title, total=total, words=f"{request.jobs} at once")
        self._streams: dict[StreamId, _Stream] = {}
        for stream in request.streams:
            task = self._bar.add_task(
                for_terminal(str(stream), 60), total=self._length, words="", visible=False, start=False
            )
            state = self._streams[stream] = _Stream(task)
            for record in read_episodes(stream.folder(request.out)) if request.resume else ():
                state.tally.count(record)
            self._bar.update(task, completed=len(state.tally), words=state.words)
        self._update_all()

    def _update_all(self) -> None:
        self._bar.update(self._all, completed=sum(len(state.tally) for state in self._streams.values()))

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.stop()

    def __call__(self, stream: StreamId, event: StepDone | EpisodeDone) -> None:
        """Show a finished step or episode."""
        state = self._streams[stream]
        if isinstance(event, StepDone):
            self._bar.start_task(state.task)
            self._bar.update(state.task, visible=True, words=f"{state.words} {event.step}")
            return
        state.tally.count(event.record)
        done = event.record["position"] + 1 == self._length
        self._bar.update(state.task, completed=len(state.tally), visible=not done, words=state.words)
        self._update_all()
        if done:
            self._bar.console.print(for_terminal(f"finished: {stream}, {state.words}"), soft_wrap=True)
