"""From a recorded refusal to one instruction for a prompt."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from sqlmend._text import for_prompt
from sqlmend.memory.notes._mask import DETAIL_LIMIT
from sqlmend.memory.notes._note import Note, Refusal

_SHAPE_LIMIT = 1_000


def note_of(refusal: Refusal, score: float, shape: str) -> Note:
    """The note for a statement of ``shape``.

    Args:
        refusal: What was recorded.
        score: Overlap of the two shapes.
        shape: Shape of the statement on the table.
    """
    words = templates()["note"]
    parts = [
        words["verdict"].format(
            backend=templates()["backends"][refusal.key.backend],
            likeness=words["same" if shape == refusal.key.shape else "near"],
            **{"class": refusal.error_class},
        ),
        words["detail"].format(detail=_one_line(refusal.detail, DETAIL_LIMIT))
        if refusal.detail
        else words["no_detail"],
        words["advice"].format(advice=advice(refusal)),
        words["unchanged"],
    ]
    if refusal.worked == refusal.key.shape:
        parts.append(words["worked_same"])
    elif refusal.worked:
        parts.append(words["worked_other"].format(shape=_one_line(refusal.worked, _SHAPE_LIMIT)))
    return Note(" ".join(parts), refusal.error_class, score, refusal.id)


def advice(refusal: Refusal) -> str:
    """What to do instead: for the constructs that were refused, else for the class on its backend."""
    of_constructs = templates()["constructs"]
    known = [of_constructs[name]["text"] for name in refusal.construct.split(",") if name in of_constructs]
    if known:
        return " ".join(known)
    of_class = templates()["advice"][refusal.error_class]
    found: dict[str, str] = of_class.get(refusal.key.backend) or of_class["any"]
    return found["text"]


@cache
def templates() -> dict[str, Any]:
    """``data/templates.yaml``."""
    data: dict[str, Any] = yaml.safe_load(
        files("sqlmend.memory.notes").joinpath("data", "templates.yaml").read_text("utf-8")
    )
    return data


def _one_line(text: str, limit: int) -> str:
    """Data as a part of a sentence: neutralised, without line ends."""
    return " ".join(for_prompt(text, limit).split())
