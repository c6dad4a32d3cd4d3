"""A comparison's folder: what it was asked, and one process at a time that goes on with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlmend.eval._claim import ClaimedFolder, read_claim

#: Version of ``comparison.json`` and of the folder's layout.
FORMAT = 1

CONFIG = "comparison.json"
#: What a comparison may go on with another of: for the record only.
_FREE = ("versions",)


class ComparisonFolder(ClaimedFolder):
    """The folder of one comparison, held until it is closed.

    Args:
        path: The folder.
        config: What is compared and how; the content of ``comparison.json``.
        resume: Go on in a folder that holds this comparison; in an empty one it begins.

    Raises:
        InputError: See :class:`ClaimedFolder`.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        super().__init__(
            path, config, file=CONFIG, noun="comparison", read=read_config, resume=resume, free=_FREE
        )


def read_config(folder: Path) -> dict[str, Any]:
    """The content of a comparison's ``comparison.json``.

    Raises:
        InputError: The folder holds no comparison, or one of a newer format.
        SqlmendError: The file is damaged.
    """
    return read_claim(folder, CONFIG, noun="comparison", newest=FORMAT, made_by="sqlmend compare")
