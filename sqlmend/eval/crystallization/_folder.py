"""A study's folder: what it was asked, and one process at a time that goes on with it."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sqlmend.errors import InputError, SqlmendError
from sqlmend.eval._claim import ClaimedFolder, read_claim
from sqlmend.eval.crystallization._design import axes

#: Version of ``crystallization.json`` and of the folder's layout.
FORMAT = 1

CONFIG = "crystallization.json"
#: What a study may go on with another of: for the record only.
_FREE = ("versions",)
#: What results are made from.
_READ = frozenset(
    "benchmark selection questions designs seeds definition regime timeout_s lm bit_stable embedder prompts"
    " versions resamples seed margin".split()
)


class StudyFolder(ClaimedFolder):
    """The folder of one crystallization study, held until it is closed.

    Args:
        path: The folder.
        config: What is measured and how; the content of ``crystallization.json``.
        resume: Go on in a folder that holds this study; in an empty one it begins.

    Raises:
        InputError: See :class:`ClaimedFolder`.
    """

    def __init__(self, path: Path, config: Mapping[str, Any], *, resume: bool = False) -> None:
        super().__init__(path, config, file=CONFIG, noun="study", read=read_study, resume=resume, free=_FREE)


def read_study(folder: Path) -> dict[str, Any]:
    """The content of a study's ``crystallization.json``.

    Raises:
        InputError: The folder holds no study, or one of a newer format.
        SqlmendError: The file is damaged.
    """
    stored = read_claim(folder, CONFIG, noun="study", newest=FORMAT, made_by="sqlmend crystallize")
    if stored.get("axes") != axes():
        raise InputError(
            "other_study",
            f"{folder} was made with other designs and settings than this version knows",
            hint="read its report.md or results.json, or make it again with the version that it names",
        )
    if missing := _READ - stored.keys():
        named = ", ".join(sorted(missing))
        raise SqlmendError("damaged_study", f"{folder / CONFIG} is damaged: it lacks {named}")
    return stored
