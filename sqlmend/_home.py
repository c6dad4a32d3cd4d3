"""Where sqlmend keeps what may be shared between runs: weights, memo, indexes."""

from __future__ import annotations

import os
from pathlib import Path


def cache_dir(*parts: str) -> Path:
    """A folder (not created) below ``$SQLMEND_HOME``, or the user's cache folder for sqlmend."""
    home = os.environ.get("SQLMEND_HOME")
    if home:
        return Path(home).expanduser().joinpath(*parts)
    import platformdirs

    return Path(platformdirs.user_cache_dir("sqlmend", appauthor=False)).joinpath(*parts)
