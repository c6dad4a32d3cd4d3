"""The memo: every answer of a model, on disk before it is used.

One JSON file for each answer, named by the hash of what was asked, in 256 folders. Files rather than a
database: any number of processes and machines may share the folder, a torn write spoils one answer,
and a folder of answers can be read, compared and committed as a test's fixture.
"""

from __future__ import annotations

import contextlib
import json
import os
import warnings
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sqlmend._files import canonical_json, sha256_text, write_atomic
from sqlmend._home import cache_dir
from sqlmend._text import for_terminal
from sqlmend.errors import SqlmendError

_VERSION = 1


@dataclass(frozen=True)
class Answer:
    """What a model answered, and what it cost.

    Attributes:
        text: The answer.
        finish_reason: Why it ended: ``stop``, ``length``, or the server's own word.
        prompt_tokens: Tokens of the prompt.
        output_tokens: Tokens of the answer.
        cached_tokens: Prompt tokens that came from the engine's prefix cache.
        seconds: Time in the model.
        payer: Token of the run that paid, ``""`` for none.
    """

    text: str
    finish_reason: str
    prompt_tokens: int
    output_tokens: int
    cached_tokens: int
    seconds: float
    payer: str = ""


def memo_key(asked: Mapping[str, Any]) -> str:
    """Hex sha256 of what is asked, as canonical JSON."""
    return sha256_text(canonical_json(asked))


class Memo:
    """Answers by the hash of what was asked; many processes may share one.

    Args:
        folder: Where the answers lie; ``cache_dir("memo")`` by default. A new one
            is its owner's alone (0700).
        replay: Only answer from the folder: a miss raises instead of paying. ``SQLMEND_RECORD=1`` in the
            environment turns this off, so that one switch records a test's answers anew.
    """

    def __init__(self, folder: str | os.PathLike[str] | None = None, *, replay: bool = False) -> None:
        self.folder = Path(folder) if folder is not None else cache_dir("memo")
        self.replay = replay and os.environ.get("SQLMEND_RECORD", "") in ("", "0")

    def path(self, key: str) -> Path:
        """The file of that key, whether it is there or not."""
        return self.folder / key[:2] / f"{key}.json"

    def get(self, key: str) -> Answer | None:
        """The answer under ``key``; None where there is none, or with a warning where it is damaged.

        Raises:
            SqlmendError: Replaying, and it is not there (``memo_miss``).
        """
        path = self.path(key)
        answer = None
        try:
            record = json.loads(path.read_text("utf-8"))
            if record["v"] != _VERSION or memo_key(record["asked"]) != key:
                raise ValueError("not what was asked")
            answer = Answer(**record["answer"])
        except FileNotFoundError:
            pass
        except (OSError, ValueError, KeyError, TypeError) as error:
            why = for_terminal(str(error), 200)  # it may quote the file
            warnings.warn(f"{path} is damaged and is not used: {why}", RuntimeWarning, stacklevel=2)
        if answer is None and self.replay:
            raise SqlmendError(
                "memo_miss",
                f"no recorded answer {key[:12]} in {self.folder}",
                hint="set SQLMEND_RECORD=1 to ask the model and record its answer",
                context={"key": key},
            )
        return answer

    def put(self, asked: Mapping[str, Any], answer: Answer) -> None:
        """Keep an answer; it is on disk when this returns."""
        self._make_folder()
        record = {"v": _VERSION, "asked": asked, "answer": vars(answer)}
        text = json.dumps(record, sort_keys=True, indent=1, ensure_ascii=True, allow_nan=False)
        write_atomic(self.path(memo_key(asked)), text + "\n")

    def _make_folder(self) -> None:
        # Prompts quote values of the user's databases: a new folder is for its owner's eyes alone.
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)

    @contextlib.contextmanager
    def paying_for(self, key: str) -> Iterator[None]:
        """Hold the right to ask for ``key``, so that of several processes one pays and the others read.

        The lock is shared by the keys of a folder (one in 256) and ends with its process, however that ends.
        """
        from filelock import FileLock

        self._make_folder()
        locks = self.folder / ".locks"
        locks.mkdir(exist_ok=True)
        with FileLock(locks / key[:2]):
            yield
