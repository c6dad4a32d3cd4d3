"""One repaired episode of a run, shown with what it recalled."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sqlmend._text import cap, for_terminal
from sqlmend.cli._frame import out

if TYPE_CHECKING:
    from sqlmend.memory import Record

_SQL = 600


def show_repair(folder: Path, questions: Mapping[str, str]) -> None:
    """Print the last repaired episode that recalled something, else the last repaired one, else nothing.

    Args:
        folder: The run's folder.
        questions: Text by question id.
    """
    from sqlmend.eval import read_episodes
    from sqlmend.memory import KINDS, Memory

    repaired = [e for e in read_episodes(folder) if e["score_after"] and not e["score_before"]]
    if not repaired:
        return
    recalling = [episode for episode in repaired if episode["attempts"][-1]["recalled"]]
    episode = (recalling or repaired)[-1]
    with Memory(folder / "memory") as memory:
        records = {record.id: record for kind in KINDS for record in memory.records(kind)}
    out.print()
    out.print("A repaired query", style="bold")
    _line("question", questions[episode["question_id"]])
    for attempt in episode["attempts"][:-1]:
        _line("failed", attempt["sql"])
        _line("because", f"{attempt['status']}: {attempt['error'] or 'the result is another one'}")
    for key in episode["attempts"][-1]["recalled"]:
        if key in records:  # it may have been forgotten since
            _recalled(records[key])
    _line("repaired", episode["attempts"][-1]["sql"], "green")


def _recalled(record: Record) -> None:
    entry = record.entry
    _line("recalled", f"{record.kind} {record.id}, {entry.failure_type}, from: {entry.question}", "cyan")
    _line("", entry.delta)


def _line(label: str, text: Any, style: str | None = None) -> None:
    out.print(f"{label:>9}  {cap(for_terminal(str(text)), _SQL)}", style=style, soft_wrap=True)
