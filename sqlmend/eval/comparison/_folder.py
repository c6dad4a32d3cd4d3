"""A comparison's folder: what it was asked, and one process at a time that goes on with it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from filelock import FileLock, Timeout

from sqlmend._files import write_atomic
from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval._run_folder import differences

#: Version of ``comparison.json`` and of the folder's layout.
FORMAT = 1

CONFIG = "comparison.json"
_LOCK = ".lock"
#: What a comparison may go on with another of: for the record only.
_FREE = ("versions",)


class ComparisonFolder:
    """The folder of one comparison, held until it is closed.

    Args:
        path: The folder.
        config: What is compared and how; the content of ``comparison.json``.
        resume: Go on in a folder that holds this comparison; in an empty one it begins.

    Raises:
        InputError: The folder holds something and ``resume`` is not asked for, or it holds another
            comparison (the differences are named), or none, or another process works in it.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        self.path = path
        self._file = path / CONFIG
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
            raise InputError("out_in_use", f"another process runs the comparison in {path}") from None
        try:
            if self._file.exists():
                self._compare(config, resume)
            else:
                write_atomic(self._file, json.dumps(config, indent=2, sort_keys=True) + "\n")
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
                raise _occupied(self.path)
        elif self.path.exists() and any(not _ours(item) for item in self.path.iterdir()):
            raise InputError("out_exists", f"{self.path} is not empty and holds no comparison", hint=hint)

    def _compare(self, config: Mapping[str, Any], resume: bool) -> None:
        if not resume:  # it came while this process waited for nothing but the lock
            raise _occupied(self.path)
        stored, asked = (
            {key: value for key, value in whole.items() if key not in _FREE}
            for whole in (read_config(self.path), json.loads(json.dumps(config)))
        )
        found = list(differences(stored, asked, ""))
        if found:
            raise InputError(
                "other_comparison",
                f"{self.path} holds another comparison: {'; '.join(found[:6])}",
                hint="resume with the settings it was started with, or choose another --out",
                context={"differences": found},
            )


def read_config(folder: Path) -> dict[str, Any]:
    """The content of a comparison's ``comparison.json``.

    Raises:
        InputError: The folder holds no comparison, or one of a newer format.
        SqlmendError: The file is damaged.
    """
    file = folder / CONFIG
    try:
        stored = json.loads(file.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError):
        raise InputError(
            "no_comparison", f"{folder} holds no comparison", hint="sqlmend compare --out makes one"
        ) from None
    except (ValueError, RecursionError) as error:
        raise SqlmendError("damaged_comparison", f"{file} is damaged: {error}") from error
    if not isinstance(stored, dict) or not isinstance(stored.get("format"), int):
        raise SqlmendError("damaged_comparison", f"{file} is no configuration of a comparison")
    if stored["format"] > FORMAT:
        raise InputError(
            "newer_comparison",
            f"{file} has format {stored['format']}; this version reads up to {FORMAT}",
            hint="update sqlmend",
        )
    return stored


def _ours(item: Path) -> bool:
    """What a comparison that was killed at its very start leaves."""
    return item.name == _LOCK or item.name.startswith(f".{CONFIG}.")


def _occupied(path: Path) -> InputError:
    return InputError(
        "out_exists", f"{path} holds a comparison", hint="go on with --resume, or choose another --out"
    )
