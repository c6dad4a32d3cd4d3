"""What every command shares: one document on stdout, words on stderr, exit codes."""

from __future__ import annotations

import json
import logging
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click
from rich.console import Console

from sqlmend._text import for_terminal
from sqlmend.errors import InputError, SqlmendError

# Text of a model or a database is shown as it is: not as markup, and `:key:` is no picture.
_AS_IT_IS: dict[str, Any] = {"markup": False, "emoji": False, "highlight": False}

#: Progress and words for people go to stderr, so that stdout stays machine-readable.
console = Console(stderr=True, **_AS_IT_IS)
#: Results for people.
out = Console(**_AS_IT_IS)

json_option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document on stdout.")


class SafeFormatter(logging.Formatter):
    """Warnings as text for a terminal: they may quote a model's SQL or a damaged file."""

    def format(self, record: logging.LogRecord) -> str:
        """The record's text, with control characters shown as codes."""
        return for_terminal(super().format(record))


def emit(document: Any, as_json: bool, render: Callable[[], None]) -> None:
    """Print the result once: as JSON, or for people by calling ``render``."""
    if as_json:
        sys.stdout.write(json.dumps(document, indent=2, ensure_ascii=True, allow_nan=False) + "\n")
    else:
        render()


def say(text: str, style: str | None = None) -> None:
    """Words for people on stderr; ``text`` may hold what came from a model or a database."""
    console.print(for_terminal(text), style=style, soft_wrap=True)


def write_page(write: Callable[[Path, Any], Any], folder: Path, document: Any) -> Path:
    """Write a report; where the library that draws is missing, its words alone. Returns the page to read."""
    try:
        write(folder, document)
    except InputError as error:
        if error.code != "missing_extra":
            raise
        # What took the time is done and on disk: the page can be drawn when its library is there.
        say(f"no report.html: {error}")
        return folder / "report.md"
    return folder / "report.html"


def fail(error: SqlmendError) -> int:
    """Say on stderr what went wrong and what to do; returns the exit code."""
    say(f"error: {error.message}", style="bold red")
    if error.hint:
        say(f"hint: {error.hint}")
    return error.exit_code


def example(*lines: str) -> str:
    """The epilog of a command's help: an example of its use, kept as written."""
    return "\b\nExample:\n" + "\n".join(f"  {line}" for line in lines)
