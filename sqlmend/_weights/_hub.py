"""The first source: a model hub's plain https download, resumed by Range."""

from __future__ import annotations

import os
import urllib.request
from collections.abc import Callable
from http import HTTPStatus
from http.client import HTTPException
from pathlib import Path
from urllib.parse import quote

from sqlmend._weights._pin import Hub

_TIMEOUT_S = 20.0
_BLOCK = 1 << 20


def from_hub(hub: Hub, part: Path, size: int, progress: Callable[[int], None]) -> None:
    """Append what is missing of ``hub``'s file to ``part``.

    ``$HF_ENDPOINT`` names another hub of the same layout, and ``$HF_HUB_OFFLINE`` turns it off.

    Args:
        hub: The file.
        part: The partial file; what it holds is kept where the server can go on from there.
        size: Bytes of the whole; no more is written.
        progress: Called with the bytes that are there.

    Raises:
        OSError: The hub is off, not reachable or gave something else.
    """
    if os.environ.get("HF_HUB_OFFLINE", "0").lower() not in ("", "0", "false", "no"):
        raise OSError("HF_HUB_OFFLINE is set")
    endpoint = os.environ.get("HF_ENDPOINT", "https://huggingface.co").rstrip("/")
    done = part.stat().st_size if part.exists() else 0
    if done == size:
        return
    try:
        request = urllib.request.Request(f"{endpoint}/{quote(hub.repo)}/resolve/main/{quote(hub.path)}")
        request.add_header("User-Agent", "sqlmend")
        if 0 < done < size:
            request.add_header("Range", f"bytes={done}-")
        with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as response:
            if response.status != HTTPStatus.PARTIAL_CONTENT:
                done = 0
            with part.open("ab" if done else "wb") as file:
                while done < size and (block := response.read(min(_BLOCK, size - done))):
                    file.write(block)
                    done += len(block)
                    progress(done)
    except (HTTPException, ValueError) as error:  # a broken answer; an endpoint that is no URL
        raise OSError(f"{type(error).__name__}: {error}") from error
    if done != size:
        raise OSError(f"the download ended after {done} of {size} bytes")
