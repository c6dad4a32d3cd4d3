"""Differences with intervals about zero."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmend.eval.report._charts._canvas import ACCENT, CHARACTER, INK, PAPER, SECOND, Canvas, Spec


@dataclass(frozen=True)
class Interval:
    """A difference with its interval.

    Attributes:
        label: Names it.
        value: The difference.
        low: Lower bound.
        high: Upper bound.
        solid: Whether zero is outside.
        is_second: Whether it belongs to the second way of running.
    """

    label: str
    value: float
    low: float
    high: float
    solid: bool
    is_second: bool = False


def forest(rows: Sequence[Interval], x_title: str, canvas: Canvas) -> Spec:
    """Differences with intervals below each other, about a line at zero; each row has its own label."""
    stacked = canvas.is_narrow
    values = [
        {
            "label": row.label,
            "value": 100 * row.value,
            "low": 100 * row.low,
            "high": 100 * row.high,
            "kind": ("second" if row.is_second else "first") + (" solid" if row.solid else " hollow"),
        }
        for row in rows
    ]
    kinds = ["first solid", "first hollow", "second solid", "second hollow"]
    shapes = ["circle", "circle", "diamond", "diamond"]
    stroke = {
        "field": "kind",
        "type": "nominal",
        "scale": {"domain": kinds, "range": [ACCENT, ACCENT, SECOND, SECOND]},
        "legend": None,
    }
    fill = {**stroke, "scale": {"domain": kinds, "range": [ACCENT, PAPER, SECOND, PAPER]}}
    shape = {**stroke, "scale": {"domain": kinds, "range": shapes}}
    room = min(0.5 * canvas.width, 16 + CHARACTER * max((len(row.label) for row in rows), default=0))
    labels = {"minExtent": room, "labelLimit": room - 6, "labelColor": INK, "title": None, "grid": False}
    y: Spec = {"field": "label", "type": "nominal", "sort": [row.label for row in rows]}
    y["axis"] = None if stacked else labels
    zero = "datum.value == 0 ? '0' : format(datum.value, '+.3~g')"
    axis = {"labelExpr": zero, "tickCount": 5 if stacked else 7}
    x: Spec = {"field": "value", "type": "quantitative", "title": x_title, "axis": axis}
    width = canvas.width - 16 if stacked else round(canvas.width - room - 10)
    name = {"type": "text", "limit": width, "baseline": "middle", "align": "left", "dy": -15}
    halo = {**name, "stroke": PAPER, "strokeWidth": 4}  # the line at zero passes behind the names
    text = {"x": {"value": 0}, "text": {"field": "label"}}
    names = [{"mark": mark, "encoding": text} for mark in (halo, name)]
    return {
        "width": width,
        "height": {"step": 46 if stacked else 26},
        "data": {"values": values},
        "encoding": {"y": y, "x": x},
        "layer": [
            {
                "mark": {"type": "rule", "color": INK, "strokeWidth": 1},
                "encoding": {"x": {"datum": 0}, "y": None},
            },
            {
                "mark": "rule",
                "encoding": {
                    "x": {**x, "field": "low"},
                    "x2": {"field": "high"},
                    "color": stroke,
                    "strokeDash": {
                        **stroke,
                        "scale": {"domain": kinds, "range": [[1, 0], [1, 0], [4, 3], [4, 3]]},
                    },
                },
            },
            {
                "mark": {"type": "point", "size": 85},
                "encoding": {"stroke": stroke, "fill": fill, "shape": shape},
            },
            *(names if stacked else []),
        ],
    }
