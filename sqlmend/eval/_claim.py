"""A folder that one process at a time works in: what it was asked stands in a file of its own."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from sqlmend._files import clear_drafts, is_draft, write_atomic
from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval._run_folder import differences

_LOCK = ".lock"


class ClaimedFolder:
    """A folder that holds one piece of work, claimed until it is closed.

    Args:
        path: The folder.
        config: What is asked; the content of ``file``.
        file: Name of the file that says so.
        noun: What the folder holds, as messages and error codes name it.
        read: Reads the file in a folder, or raises what is wrong with it.
        resume: Go on in a folder that holds this work; in an empty one it begins.
        free: Keys that may differ on a resume: they are for the record only.

    Raises:
        InputError: The folder holds something and ``resume`` is not asked for, or it holds other work
            (the differences are named), or none, or another process works in it.
    """

    def __init__(
        self,
        path: Path,
        config: Mapping[str, Any],
        *,
        file: str,
        noun: str,
        read: Callable[[Path], dict[str, Any]],
        resume: bool,
        free: tuple[str, ...] = (),
    ) -> None:
        self.path = path
        self._file = path / file
        self._noun = noun
        self._refuse_occupied(resume)
        try:
            path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise InputError("bad_out", f"{path} cannot be made: {error.strerror}") from error
        # First the lock: two processes that start at once must not both write what follows.
        self._lock = FileLock(path / _LOCK, thread_local=False)
        try:
            self._lock.acquire(timeout=0)
        except Timeout:
            raise InputError("out_in_use", f"another process runs the {noun} in {path}") from None
        try:
            clear_drafts(self._file)
            if not self._file.exists():
                write_atomic(self._file, json.dumps(config, indent=2, sort_keys=True) + "\n")
            elif not resume:  # it came while this process waited for nothing but the lock
                raise self._occupied()
            else:
                self._compare(read(path), json.loads(json.dumps(config)), free)
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

    def _refuse_occupied(self, resume: bool) -> None:
        hint = "choose another --out"
        if self.path.exists() and not self.path.is_dir():
            raise InputError("out_exists", f"{self.path} is a file, not a folder", hint=hint)
        if self._file.exists():
            if not resume:
                raise self._occupied()
        elif self.path.exists() and any(not self._left_behind(item) for item in self.path.iterdir()):
            message = f"{self.path} is not empty and holds no {self._noun}"
            raise InputError("out_exists", message, hint=hint)

    def _left_behind(self, item: Path) -> bool:
        """Whether a process that was killed at its very start leaves such an item."""
        return item.name == _LOCK or is_draft(item, self._file)

    def _occupied(self) -> InputError:
        return InputError(
            "out_exists",
            f"{self.path} holds a {self._noun}",
            hint="go on with --resume, or choose another --out",
        )

    def _compare(self, stored: dict[str, Any], asked: dict[str, Any], free: tuple[str, ...]) -> None:
        for key in free:
            stored.pop(key, None)
            asked.pop(key, None)
        found = list(differences(stored, asked, ""))
        if found:
            raise InputError(
                f"other_{self._noun}",
                f"{self.path} holds another {self._noun}: {'; '.join(found[:6])}",
                hint="resume with the settings it was started with, or choose another --out",
                context={"differences": found},
            )


def read_claim(folder: Path, file: str, *, noun: str, newest: int, made_by: str) -> dict[str, Any]:
    """What the work in a folder was asked, from its configuration.

    Args:
        folder: The folder.
        file: Name of the configuration.
        noun: What the folder holds, as messages and error codes name it.
        newest: The newest ``format`` that is known.
        made_by: The command that makes such folders.

    Raises:
        InputError: The folder holds none (``no_<noun>``), or one of a newer format (``newer_<noun>``).
        SqlmendError: The file is damaged (``damaged_<noun>``).
    """
    path = folder / file
    try:
        stored = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        message, hint = f"{folder} holds no {noun}", f"{made_by} --out makes one"
        raise InputError(f"no_{noun}", message, hint=hint) from None
    except (ValueError, RecursionError) as error:
        raise SqlmendError(f"damaged_{noun}", f"{path} is damaged: {error}") from error
    if not isinstance(stored, dict) or not isinstance(stored.get("format"), int):
        raise SqlmendError(f"damaged_{noun}", f"{path} is no configuration of a {noun}")
    if stored["format"] > newest:
        raise InputError(
            f"newer_{noun}",
            f"{path} has format {stored['format']}; this version reads up to {newest}",
            hint="update sqlmend",
        )
    return stored
