"""Which GGUF file a local model is, and its hash."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path

from sqlmend._files import sha256_file, sha256_text, write_atomic
from sqlmend._home import cache_dir
from sqlmend._weights import fetch, get_pin, present
from sqlmend.errors import InputError, SqlmendError, unknown_name

#: Names after ``local:`` to their pins; the first is what ``local`` alone means.
LOCAL_MODELS = {"1.5b": "qwen2.5-coder-1.5b", "0.5b": "qwen2.5-coder-0.5b"}


class PinnedWeights:
    """Weights that sqlmend pins.

    Args:
        name: ``1.5b`` or ``0.5b``.

    Raises:
        InputError: No weights have that name.
    """

    def __init__(self, name: str) -> None:
        if name not in LOCAL_MODELS:
            raise unknown_name("local model", name, LOCAL_MODELS)
        self.name = name
        self._pin = get_pin(LOCAL_MODELS[name])

    @property
    def sha256(self) -> str:
        """The pinned hash; the file need not be here."""
        return self._pin.sha256

    def require(self) -> None:
        """Raise where the file is not here.

        Raises:
            SqlmendError: With code ``weights_missing``.
        """
        if present(self._pin) is None:
            raise SqlmendError(
                "weights_missing",
                f"the weights of local:{self.name} ({self._pin.bytes / 1e9:.1f} GB) are not on this machine",
                hint=f"sqlmend models pull {self.name}",
                context={"name": self.name},
            )

    def open(self) -> Path:
        """The file, whose content was checked against the hash.

        Raises:
            SqlmendError: It is not here (``weights_missing``) or holds something else (``weights_damaged``).
        """
        self.require()
        return fetch(self._pin)


class OwnWeights:
    """A GGUF file of the user's.

    Args:
        path: Where it lies.

    Raises:
        InputError: There is no such file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path.expanduser().resolve()
        if not self._path.is_file():
            raise InputError("no_weights", f"there is no file {path}", context={"path": str(path)})
        self.name = self._path.name

    @property
    def sha256(self) -> str:
        """The file's hash, taken once for a size and time of change and then remembered."""
        stat = self._path.stat()
        stamp = {"path": str(self._path), "bytes": stat.st_size, "mtime_ns": stat.st_mtime_ns}
        memory = cache_dir("hashes") / f"{sha256_text(str(self._path))[:32]}.json"
        with contextlib.suppress(OSError, ValueError, TypeError):
            known = json.loads(memory.read_text("utf-8"))
            digest = known.pop("sha256", None)
            if known == stamp and digest:
                return str(digest)
        digest = sha256_file(self._path)
        with contextlib.suppress(OSError):
            write_atomic(memory, json.dumps({**stamp, "sha256": digest}))
        return digest

    def require(self) -> None:
        """Nothing to do: the file was there when it was named."""

    def open(self) -> Path:
        """The file."""
        return self._path
