"""A measurement's folder: what was asked, every attempt, and one process at a time that goes on with it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from sqlmend._files import append_line, write_atomic
from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval._run_folder import differences

#: Version of the folder's layout.
FORMAT = 1

_CONFIG = "config.json"
_LOCK = ".lock"


class MeasureFolder:
    """The folder of one measurement, held until it is closed.

    Args:
        path: The folder.
        config: What is measured and how; the content of ``config.json``.
        resume: Go on in a folder that holds this measurement; in an empty one it begins.

    Raises:
        InputError: The folder holds something and ``resume`` is not asked for, or it holds another
            measurement (the differences are named), or none, or another process works in it.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        self.path = path
        if path.exists() and not path.is_dir():
            raise InputError("out_exists", f"{path} is a file, not a folder", hint="choose another --out")
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError("bad_out", f"{path} cannot be made: {error.strerror}") from error
        self._lock = FileLock(path / _LOCK, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise InputError("out_in_use", f"another process measures in {path}") from None
        try:
            self._begin(config, resume)
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Let another process go on."""
        self._lock.release()

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

    def _begin(self, config: Mapping[str, Any], resume: bool) -> None:
        file = self.path / _CONFIG
        if not file.exists():
            if any(
                item.name != _LOCK and not item.name.startswith(f".{_CONFIG}.")
                for item in self.path.iterdir()
            ):
                raise InputError(
                    "out_exists",
                    f"{self.path} is not empty and holds no measurement",
                    hint="choose another --out",
                )
            write_atomic(file, json.dumps(config, indent=2, sort_keys=True) + "\n")
            return
        if not resume:
            hint = "go on with --resume, or choose another --out"
            raise InputError("out_exists", f"{self.path} holds a measurement", hint=hint)
        try:
            stored = json.loads(file.read_text("utf-8"))
        except ValueError as error:
            raise SqlmendError("damaged_measurement", f"{file} is damaged: {error}") from error
        found = list(differences(stored, json.loads(json.dumps(config)), ""))
        if found:
            raise InputError(
                "other_measurement",
                f"{self.path} holds another measurement: {'; '.join(found[:6])}",
                hint="resume with the settings it was started with, or choose another --out",
                context={"differences": found},
            )
        self._cut_torn_line()

    def _cut_torn_line(self) -> None:
        if self._attempts.exists():
            data = self._attempts.read_bytes()
            if data and not data.endswith(b"\n"):
                os.truncate(self._attempts, data.rfind(b"\n") + 1)
