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
        words["advice"].format(advice=advice(refusal)["text"]),
        words["unchanged"],
    ]
    if refusal.worked == refusal.key.shape:
        parts.append(words["worked_same"])
    elif refusal.worked:
        parts.append(words["worked_other"].format(shape=_one_line(refusal.worked, _SHAPE_LIMIT)))
    return Note(" ".join(parts), refusal.error_class, score, refusal.id)


def advice(refusal: Refusal) -> dict[str, Any]:
    """The template for a refusal: of its construct, else of its class and backend, else of its class."""
    if refusal.error_class == "unsupported_translation":
        construct: dict[str, Any] | None = templates()["constructs"].get(refusal.construct)
        if construct is not None:
            return construct
    of_class: dict[str, dict[str, Any]] = templates()["advice"][refusal.error_class]
    return of_class.get(refusal.key.backend) or of_class["any"]


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
