"""A measurement's folder: what was asked, every attempt, and one process at a time that goes on with it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlmend._files import append_line, write_atomic
from sqlmend.errors import SqlmendError
from sqlmend.eval._claim import ClaimedFolder

#: Version of the folder's layout.
FORMAT = 1

CONFIG = "config.json"


class MeasureFolder(ClaimedFolder):
    """The folder of one measurement, held until it is closed.

    Args:
        path: The folder.
        config: What is measured and how; the content of ``config.json``.
        resume: Go on in a folder that holds this measurement; in an empty one it begins.

    Raises:
        InputError: See :class:`ClaimedFolder`.
        SqlmendError: The folder's ``config.json`` is damaged.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        super().__init__(path, config, file=CONFIG, noun="measurement", read=_read_config, resume=resume)
        self._cut_torn_line()

    @property
    def _attempts(self) -> Path:
        return self.path / "attempts.jsonl"

    def attempts(self) -> list[dict[str, Any]]:
        """The finished attempts, in their order; a line that a kill has torn is dropped.

        Raises:
            SqlmendError: Another line is damaged.
        """
        if not self._attempts.exists():
            return []
        data = self._attempts.read_bytes()
        if whole := data.rfind(b"\n") + 1:
            try:
                return [json.loads(line) for line in data[:whole].decode("utf-8").splitlines()]
            except ValueError as error:
                raise SqlmendError("damaged_measurement", f"{self._attempts} is damaged: {error}") from error
        return []

    def add(self, record: Mapping[str, Any]) -> None:
        """Append a finished attempt; on disk when this returns."""
        append_line(self._attempts, record)

    def finish(self, results: Mapping[str, Any]) -> None:
        """Write ``results.json``."""
        write_atomic(self.path / "results.json", json.dumps(results, indent=2, ensure_ascii=True) + "\n")

    def _cut_torn_line(self) -> None:
        if self._attempts.exists():
            data = self._attempts.read_bytes()
            if data and not data.endswith(b"\n"):
                os.truncate(self._attempts, data.rfind(b"\n") + 1)


def _read_config(folder: Path) -> dict[str, Any]:
    file = folder / CONFIG
    try:
        stored = json.loads(file.read_text("utf-8"))
    except (ValueError, RecursionError) as error:
        raise SqlmendError("damaged_measurement", f"{file} is damaged: {error}") from error
    if not isinstance(stored, dict):
        raise SqlmendError("damaged_measurement", f"{file} is no configuration of a measurement")
    return stored
