"""How much room a chart has, and what all charts share.

No chart says anything by colour alone: a program is named beside its marks, what ran without twins
is a hollow diamond on a dashed line, and what is not separated is hollow too.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

Spec = dict[str, Any]

#: Mean width of a character at 12 px in a wide face, for margins that hold names.
CHARACTER = 7.4
#: Colours are variables of the page's style sheet.
INK, ACCENT, SECOND, FAINT, PAPER = (
    "var(--ink)",
    "var(--accent)",
    "var(--second)",
    "var(--faint)",
    "var(--paper)",
)


@dataclass(frozen=True)
class Canvas:
    """How much room a chart has, in pixels, and how many small charts stand in a row."""

    width: int
    columns: int
    is_narrow: bool = False


#: For a screen or paper, for half of one, and for a phone.
WIDE, HALF, NARROW = Canvas(920, 5), Canvas(440, 2), Canvas(330, 2, is_narrow=True)


def both(build: Callable[[Canvas], Spec], wide: Canvas = WIDE) -> tuple[Spec, Spec]:
    """A chart for a screen and for a phone."""
    return build(wide), build(NARROW)


def small_multiples(count: int, canvas: Canvas) -> int:
    """Small charts in a row, so that the rows are filled evenly."""
    rows = max(1, math.ceil(count / canvas.columns))
    return max(1, math.ceil(count / rows))


def share_axis(field: str, title: str | None, domain: Sequence[float]) -> Spec:
    return {
        "field": field,
        "type": "quantitative",
        "title": title,
        "scale": {"domain": list(domain), "nice": False, "zero": False},
        "axis": {"format": ".0%", "tickCount": 5},
    }
