"""``sqlmend models``: the pinned weights, fetched once and kept for all runs."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import click
from rich.progress import (
    BarColumn,
    DownloadColumn,
    Progress,
    TaskID,
    TextColumn,
    TimeRemainingColumn,
    TransferSpeedColumn,
)
from rich.table import Table

from sqlmend._weights import Pin, fetch, get_pin, present
from sqlmend.cli._frame import console, emit, example, json_option, out
from sqlmend.errors import SqlmendError, unknown_name
from sqlmend.models._weights_file import LOCAL_MODELS

#: What can be pulled, and its files: the model itself first.
_FILES: dict[str, tuple[str, ...]] = {
    **{name: (pin,) for name, pin in LOCAL_MODELS.items()},
    "minilm": ("minilm", "minilm-tokenizer"),
}
_USES = {**{name: f"--lm local:{name}" for name in LOCAL_MODELS}, "minilm": "--embedder minilm"}
_DEFAULT = next(iter(LOCAL_MODELS))

_name = click.argument("name", default=_DEFAULT, metavar=f"[{'|'.join(_FILES)}]")


@click.group(epilog=example("sqlmend models pull 1.5b"))
def command() -> None:
    """List, pull and locate the pinned local models."""


@command.command("list", epilog=example("sqlmend models list --json"))
@json_option
def list_command(as_json: bool) -> None:
    """List the pinned models, and which of them are on this machine."""
    document = {"models": [_row(name) for name in _FILES]}

    def render() -> None:
        table = Table("name", "used as", "size", "here", "about", box=None)
        for row in document["models"]:
            here = "yes" if row["path"] else "no"
            table.add_row(row["name"], row["used_as"], f"{row['bytes'] / 1e6:,.0f} MB", here, row["about"])
        out.print(table)

    emit(document, as_json, render)


@command.command("pull", epilog=example("sqlmend models pull", "sqlmend models pull 0.5b"))
@_name
@json_option
def pull_command(name: str, as_json: bool) -> None:
    """Fetch a pinned model; an interrupted pull goes on where it stopped.

    The model hub is tried first and the mirror second. A file gets its name only when its sha256 is
    the pinned one. What is here already is checked and not fetched again.
    """
    pins = _pins(name)
    with _progress() as progress:
        for pin in pins:
            task = progress.add_task(pin.file, total=pin.bytes)
            fetch(pin, progress=partial(_show, progress, task))
            _show(progress, task, pin.bytes, pin.bytes)
    document = _row(name)
    emit(document, as_json, lambda: out.print(document["path"], soft_wrap=True))


@command.command("path", epilog=example("sqlmend models path 0.5b"))
@_name
@json_option
def path_command(name: str, as_json: bool) -> None:
    """Print where a pulled model lies."""
    document = _row(name)
    path = document["path"]
    if path is None:
        raise SqlmendError(
            "weights_missing",
            f"the weights of {name} are not on this machine",
            hint=f"sqlmend models pull {name}",
            context={"name": name},
        )
    emit(document, as_json, lambda: out.print(path, soft_wrap=True))


def _pins(name: str) -> tuple[Pin, ...]:
    if name not in _FILES:
        raise unknown_name("model", name, _FILES)
    return tuple(get_pin(pin) for pin in _FILES[name])


def _row(name: str) -> dict[str, Any]:
    """A model as the commands show it; its path is null where a file of it is missing."""
    pins = _pins(name)
    paths: list[Path | None] = [present(pin) for pin in pins]
    return {
        "name": name,
        "used_as": _USES[name],
        "about": pins[0].about,
        "file": pins[0].file,
        "bytes": sum(pin.bytes for pin in pins),
        "sha256": pins[0].sha256,
        "path": None if None in paths else str(paths[0]),
    }


def _show(progress: Progress, task: TaskID, done: int, of: int) -> None:
    progress.update(task, completed=done, total=of)


def _progress() -> Progress:
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(),
        console=console,
    )
