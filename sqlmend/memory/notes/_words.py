"""From a recorded refusal to one instruction for a prompt."""

from __future__ import annotations

import re
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from sqlmend._text import for_prompt
from sqlmend.memory.notes._mask import DETAIL_LIMIT
from sqlmend.memory.notes._note import Note, Refusal

_SHAPE_LIMIT = 1_000
_INNER = str.maketrans("«»", "‹›")


def note_of(refusal: Refusal, score: float, shape: str) -> Note:
    """The note for a statement of ``shape``.

    Args:
        refusal: What was recorded.
        score: Overlap of the two shapes.
        shape: Shape of the statement on the table.
    """
    words = templates()["note"]
    advice = advice_of(refusal)
    parts = [
        words["verdict"].format(
            backend=templates()["backends"][refusal.key.backend],
            likeness=words["same" if shape == refusal.key.shape else "near"],
            **{"class": refusal.error_class},
        ),
        words["detail"].format(detail=_quotable(refusal.detail, DETAIL_LIMIT))
        if refusal.detail
        else words["no_detail"],
        words["advice"].format(advice=advice["text"]),
        advice.get("unchanged", words["unchanged"]),
    ]
    if refusal.worked == refusal.key.shape:
        parts.append(words["worked_same"])
    elif refusal.worked:
        parts.append(words["worked_other"].format(shape=_quotable(refusal.worked, _SHAPE_LIMIT)))
    return Note(" ".join(parts), refusal.error_class, score, refusal.id)


def advice_of(refusal: Refusal) -> dict[str, str]:
    """What to do instead: by the refused constructs, else by the text, else by the class on its backend."""
    of_constructs = templates()["constructs"]
    known = [of_constructs[name]["text"] for name in refusal.construct.split(",") if name in of_constructs]
    if known:
        return {"text": " ".join(known)}
    backend, error_class = refusal.key.backend, refusal.error_class
    for found in templates()["texts"]:
        fits = backend in found["backends"] and error_class in found["classes"]
        if fits and re.search(found["says"], refusal.detail, re.IGNORECASE):
            return dict(found)
    of_class = templates()["advice"][error_class]
    return dict(of_class.get(backend) or of_class["any"])


@cache
def templates() -> dict[str, Any]:
    """``data/templates.yaml``."""
    data: dict[str, Any] = yaml.safe_load(
        files("sqlmend.memory.notes").joinpath("data", "templates.yaml").read_text("utf-8")
    )
    return data


def _quotable(text: str, limit: int) -> str:
    """Data between « and » in a sentence: neutralised, without line ends and without these quotes."""
    return " ".join(for_prompt(text, limit).split()).translate(_INNER)
