"""A run's folder: what it was asked to do, what it has done, and how it goes on after a kill."""

from __future__ import annotations

import json
import logging
import os
import secrets
from collections.abc import Iterator, Mapping, Set
from pathlib import Path
from typing import Any, Self

from sqlmend._files import append_line, clear_drafts, is_draft, sync, write_atomic
from sqlmend.errors import InputError, SqlmendError
from sqlmend.memory import Memory

#: Version of the folder's layout and of its records.
FORMAT = 1

# What is read of a line again.
_EPISODE = frozenset(
    """
    position question_id attempts committed score_before score_after flags error calls prompt_tokens
    output_tokens
    """.split()
)
_STEP = frozenset("position step attempt seconds seconds_model cached_tokens paid".split())

_log = logging.getLogger(__name__)


class RunFolder:
    """The files of one run; it holds the lock of the run's memory until it is closed.

    Args:
        path: The folder.
        config: What the run is asked to do; compared on a resume.
        resume: Go on in a folder that holds a run; in an empty one the run begins.

    Attributes:
        path: The folder.
        memory: The run's memory, open for writing.
        token: Names this run in the memo, so that a resumed run knows what it has paid for.

    Raises:
        InputError: The folder holds something and ``resume`` is not asked for, or it holds another
            run (the differences are named), or no run, or another process is writing in it.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        self.path = path
        self._refuse_occupied(resume)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError("bad_out", f"{path} cannot be made: {error.strerror}") from error
        # First the lock: two processes that start at once must not both write what follows.
        self.memory = Memory(path / "memory", write=True)
        try:
            clear_drafts(self._config_file)
            if self._config_file.exists():
                self._compare(config)
            else:
                write_atomic(self._config_file, json.dumps(config, indent=2, sort_keys=True) + "\n")
            self._cut_torn_line(self._episodes_file)
            self._cut_torn_line(self._steps_file)
            self.token = self._token()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Release the lock."""
        self.memory.close()

    @property
    def index(self) -> Path:
        """Folder of the disposable index over the memory."""
        return self.path / "index"

    @property
    def _config_file(self) -> Path:
        return self.path / "config.json"

    @property
    def _episodes_file(self) -> Path:
        return self.path / "episodes.jsonl"

    @property
    def _steps_file(self) -> Path:
        return self.path / "steps.jsonl"

    def episodes(self) -> list[dict[str, Any]]:
        """The finished episodes, in stream order."""
        return read_episodes(self.path)

    def steps(self) -> list[dict[str, Any]]:
        """The log of finished steps; those of an episode that was killed stand twice."""
        return read_steps(self.path)

    def add_episode(self, record: Mapping[str, Any]) -> None:
        """Append a finished episode; on disk when this returns, and its steps before it."""
        sync(self._steps_file)
        append_line(self._episodes_file, record)

    def keep_episodes(self, count: int) -> None:
        """Drop all episodes but the first ``count``: their questions run again."""
        with self._episodes_file.open("r+b") as file:
            for _ in range(count):
                file.readline()
            file.truncate(file.tell())
        sync(self._episodes_file)

    def add_step(self, record: Mapping[str, Any]) -> None:
        """Append a finished step; it survives a kill of the process, and is on disk with its episode."""
        append_line(self._steps_file, record, durable=False)

    def stops(self, position: int) -> int:
        """How often the run was stopped by failures alike from that position on."""
        lines = _read_lines(self._steps_file)
        return sum("stopped" in line and line.get("position") == position for line in lines)

    def summary(self) -> dict[str, Any] | None:
        """What a finished run has come to; None where that is not written, or cannot be read."""
        try:
            summary = json.loads((self.path / "summary.json").read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return None
        return summary if isinstance(summary, dict) else None

    def write_json(self, name: str, document: Any) -> None:
        """Replace a JSON file of the folder at once."""
        write_atomic(self.path / name, json.dumps(document, indent=2, ensure_ascii=True) + "\n")

    def _refuse_occupied(self, resume: bool) -> None:
        if self.path.exists() and not self.path.is_dir():
            raise InputError(
                "out_exists", f"{self.path} is a file, not a folder", hint="choose another --out"
            )
        if self._config_file.exists():
            if not resume:
                hint = "go on with --resume, or choose another --out"
                raise InputError("out_exists", f"{self.path} holds a run", hint=hint)
        elif self.path.exists() and any(self._holds(item, resume) for item in self.path.iterdir()):
            raise InputError(
                "out_exists", f"{self.path} is not empty and holds no run", hint="choose another --out"
            )

    def _holds(self, item: Path, resume: bool) -> bool:
        """Whether an item makes the folder occupied; one killed at its start leaves locks, logs, drafts."""
        if item.name == "memory" and resume:
            return any(log.stat().st_size for log in item.rglob("*") if log.is_file())
        return not (item.name.startswith(".memory.") or is_draft(item, self._config_file))

    def _compare(self, config: Mapping[str, Any]) -> None:
        try:
            stored = json.loads(self._config_file.read_text("utf-8"))
        except (ValueError, RecursionError) as error:
            raise SqlmendError("damaged_run", f"{self._config_file} is damaged: {error}") from error
        found = list(differences(stored, json.loads(json.dumps(config)), ""))
        if found:
            raise InputError(
                "other_run",
                f"{self.path} holds another run: {'; '.join(found[:6])}",
                hint="resume with the settings it was started with, or choose another --out",
                context={"differences": found},
            )

    def _token(self) -> str:
        for line in _read_lines(self._steps_file):
            if "token" in line:
                return str(line["token"])
        token = secrets.token_hex(16)
        append_line(self._steps_file, {"v": FORMAT, "token": token})
        return token

    def _cut_torn_line(self, file: Path) -> None:
        """Drop the end of a line that a kill has torn: its step or episode runs again."""
        if not file.exists():
            return
        data = file.read_bytes()
        if not data or data.endswith(b"\n"):
            return
        whole = data.rfind(b"\n") + 1
        _log.warning("%s ends in a torn line of %d bytes; it is dropped", file.name, len(data) - whole)
        os.truncate(file, whole)


def read_episodes(folder: Path) -> list[dict[str, Any]]:
    """The finished episodes of the run in ``folder``, in stream order.

    Raises:
        SqlmendError: A line is damaged (file and line are named).
    """
    return list(_read_lines(folder / "episodes.jsonl", _EPISODE))


def read_steps(folder: Path) -> list[dict[str, Any]]:
    """The log of finished steps of the run in ``folder``; those of an episode that was killed stand twice.

    Raises:
        SqlmendError: A line is damaged (file and line are named).
    """
    return [line for line in _read_lines(folder / "steps.jsonl") if line.keys() >= _STEP]


def _read_lines(file: Path, needed: Set[str] = frozenset()) -> Iterator[dict[str, Any]]:
    if not file.exists():
        return
    with file.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            if not line.endswith(b"\n"):
                return  # torn by a kill, or still being written: no record, and a resume drops it
            try:
                record = json.loads(line.decode("utf-8"))
            except (ValueError, RecursionError) as error:
                raise SqlmendError("damaged_run", f"{file}, line {number} is damaged: {error}") from error
            if not isinstance(record, dict) or not needed <= record.keys():
                raise SqlmendError("damaged_run", f"{file}, line {number} is no record of a run")
            yield record


def differences(stored: Any, asked: Any, path: str) -> Iterator[str]:
    """Where two plain values differ, as ``path: stored, now asked``."""
    if isinstance(stored, dict) and isinstance(asked, dict):
        for key in sorted({*stored, *asked}):
            yield from differences(stored.get(key), asked.get(key), f"{path}.{key}" if path else key)
    elif isinstance(stored, list) and isinstance(asked, list) and len(stored) == len(asked):
        for number, (one, other) in enumerate(zip(stored, asked, strict=True)):
            yield from differences(one, other, f"{path}[{number}]")
    elif stored != asked:
        yield f"{path} was {_short(stored)}, is now {_short(asked)}"


def _short(value: Any) -> str:
    text = json.dumps(value)
    return text if len(text) <= 60 else text[:57] + "..."
