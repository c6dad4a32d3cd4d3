"""The version of a user's own code, for the memo key."""

from __future__ import annotations

import inspect
from pathlib import Path
from types import FunctionType, ModuleType

from sqlmend._files import sha256_file


def code_version(thing: ModuleType | type | FunctionType | object) -> str | None:
    """Hex sha256 of the file that defines ``thing``; None where there is none (an interactive session).

    Coarse on purpose: an answer of a changed script must not come out of the memo, while paying once
    more after a change that did not matter costs little.
    """
    try:
        file = inspect.getsourcefile(thing)  # type: ignore[arg-type]
        return sha256_file(Path(file)) if file else None
    except (TypeError, OSError):
        return None
