"""The levels of a study as rows: one for each design and setting."""

from __future__ import annotations

from typing import Any

from sqlmend.eval.report._csv import csv_text
from sqlmend.eval.report._study._read import Row, Study

_LEVEL = ("value", "low", "high")
_CONTRAST = (*_LEVEL, "se", "p", "separated", "questions_needed", "databases_improved", "databases_worse")
_EQUIVALENCE = ("margin", "low", "high", "p", "equivalent")
_SIZES = ("databases", "questions", "groups", "seeds")
_CHANGES = ("cards_shown", "cards_left_out", "fixed", "broken", "stably_fixed", "stably_broken")


def levels_csv(study: Study) -> str:
    """What every design came to in every setting: EX with and without memory, the gain, and the difference
    to the design that it varies.
    """
    rows = [_row(study, level) for level in study.document["levels"]]
    header = list(rows[0]) if rows else ["design", "setting"]
    return csv_text(header, [list(row.values()) for row in rows])


def _row(study: Study, level: Row) -> dict[str, Any]:
    against = study.against(level["design"], level["setting"])
    return {
        "design": level["design"],
        "setting": level["setting"],
        **study.designs[level["design"]]["values"],
        "seeds_coincide": level["seeds_coincide"],
        **{name: level["ex"][name] for name in _SIZES},
        **_cells("ex", level["ex"], _LEVEL),
        **_cells("without", level["without"], _LEVEL),
        **_contrast("gain", level["gain"]),
        **{name: level.get(name) for name in _CHANGES},
        "against": None if against is None else against["second"],
        **_contrast("difference", None if against is None else against["contrast"]),
    }


def _contrast(prefix: str, found: Row | None) -> dict[str, Any]:
    equivalence = None if found is None else found["equivalence"]
    return {
        **_cells(prefix, found, _CONTRAST),
        **_cells(f"{prefix}_equivalence", equivalence, _EQUIVALENCE),
    }


def _cells(prefix: str, found: Row | None, names: tuple[str, ...]) -> dict[str, Any]:
    """The first of the names stands for the figure itself."""
    return {
        prefix if name == "value" else f"{prefix}_{name}": None if found is None else found[name]
        for name in names
    }
