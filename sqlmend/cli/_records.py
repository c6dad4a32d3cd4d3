"""Records of a memory as commands name and show them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from rich.text import Text

from sqlmend._text import for_terminal
from sqlmend.cli._frame import out
from sqlmend.errors import InputError
from sqlmend.memory import Record


def find_record(records: Iterable[Record], record_id: str) -> Record:
    """The one record whose id begins so.

    Raises:
        InputError: None does, or more than one.
    """
    found = [record for record in records if record.id.startswith(record_id)]
    if len(found) == 1:
        return found[0]
    raise InputError(
        "unknown_record" if not found else "ambiguous_record",
        f"{len(found)} records have an id that begins with {record_id!r}",
        hint="`sqlmend memory list` shows the ids",
    )


def show_values(values: dict[str, Any]) -> None:
    """Print nested plain values, one a line under its dotted name."""
    for name, value in _lines(values):
        line = Text.assemble((f"{for_terminal(name)}: ", "bold"), for_terminal(value, 20_000))
        out.print(line, soft_wrap=True)


def _lines(value: dict[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    for name, inner in value.items():
        if isinstance(inner, dict):
            yield from _lines(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", str(inner)
