"""Shares by class."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmend.eval.report._charts._canvas import (
    ACCENT,
    CHARACTER,
    INK,
    PAPER,
    SECOND,
    Canvas,
    Spec,
    small_multiples,
)


@dataclass(frozen=True)
class Bar:
    """A share of one program in one class.

    Attributes:
        group: The class.
        label: The program.
        value: Length of the bar.
        base: A tick at what it was before, None for none.
        variant: A second mark, None for none.
    """

    group: str
    label: str
    value: float | None
    base: float | None = None
    variant: float | None = None


def bars(rows: Sequence[Bar], canvas: Canvas) -> Spec:
    """Shares as bars, one small chart for each class, the programs in the order given."""
    labels = list(dict.fromkeys(row.label for row in rows))
    groups = list(dict.fromkeys(row.group for row in rows))
    columns = 1 if canvas.is_narrow else small_multiples(len(groups), canvas)
    room = min(0.4 * canvas.width, 14 + CHARACTER * max(map(len, labels), default=0))
    values = [
        {"group": row.group, "label": row.label, "value": row.value, "base": row.base, "variant": row.variant}
        for row in rows
    ]
    names = {"minExtent": room, "labelLimit": room - 6}
    y: Spec = {"field": "label", "type": "nominal", "sort": labels, "title": None, "axis": names}
    x = {
        "field": "value",
        "type": "quantitative",
        "title": None,
        "scale": {"domain": [0, 1]},
        "axis": {"format": ".0%", "values": [0, 0.5, 1]},
    }
    width = round((canvas.width - room - 26 * (columns - 1) - 20) / columns)
    header = {"labelLimit": width + 14}
    return {
        "data": {"values": values},
        "facet": {"field": "group", "type": "nominal", "sort": groups, "title": None, "header": header},
        "columns": columns,
        "resolve": {"axis": {"x": "independent"}},
        "spec": {
            "width": width,
            "height": {"step": 18},
            "encoding": {"y": y},
            "layer": [
                {"mark": {"type": "bar", "height": 9, "color": ACCENT}, "encoding": {"x": x}},
                {
                    "mark": {"type": "tick", "color": INK, "thickness": 2, "size": 13},
                    "encoding": {"x": {**x, "field": "base"}},
                },
                {
                    "mark": {
                        "type": "point",
                        "shape": "diamond",
                        "stroke": SECOND,
                        "fill": PAPER,
                        "size": 55,
                    },
                    "encoding": {"x": {**x, "field": "variant"}},
                },
            ],
        },
    }
