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
    """Print the last repaired episode that recalled something, else the last repaired one.

    Where nothing was repaired it is the last attempt at a repair, and it says so.

    Args:
        folder: The run's folder.
        questions: Text by question id.
    """
    from sqlmend.eval import read_episodes
    from sqlmend.memory import KINDS, Memory

    tried = [e for e in read_episodes(folder) if not e["score_before"] and len(e["attempts"]) > 1]
    shown = [e for e in tried if e["score_after"]] or tried
    if not shown:
        return
    episode = ([e for e in shown if e["attempts"][-1]["recalled"]] or shown)[-1]
    solved = bool(episode["score_after"])
    with Memory(folder / "memory") as memory:
        records = {record.id: record for kind in KINDS for record in memory.records(kind)}
    out.print()
    out.print("A repaired query" if solved else "No query was repaired; the last attempt", style="bold")
    _line("question", questions[episode["question_id"]])
    for attempt in episode["attempts"][:-1]:
        _line("failed", attempt["sql"])
        _line("because", f"{attempt['status']}: {attempt['error'] or 'the result is another one'}")
    for key in episode["attempts"][-1]["recalled"]:
        if key in records:  # it may have been forgotten since
            _recalled(records[key])
    _line(
        "repaired" if solved else "still wrong", episode["attempts"][-1]["sql"], "green" if solved else None
    )


def _recalled(record: Record) -> None:
    from sqlmend.cli._taught import taught

    entry = record.entry
    _line("recalled", f"{record.kind} {record.id}, {entry.failure_type}, from: {entry.question}", "cyan")
    _line("", taught(entry))


def _line(label: str, text: Any, style: str | None = None) -> None:
    out.print(f"{label:>11}  {cap(for_terminal(str(text)), _SQL)}", style=style, soft_wrap=True)
