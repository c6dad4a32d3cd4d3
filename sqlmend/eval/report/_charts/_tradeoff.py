"""Shares with intervals against a cost."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlmend.eval.report._charts._canvas import ACCENT, CHARACTER, FAINT, SECOND, Canvas, Spec, share_axis


@dataclass(frozen=True)
class Mark:
    """A value with its interval, drawn at a place.

    Attributes:
        label: Names it.
        x: Horizontal value.
        y: Vertical value.
        low: Lower bound of ``y``, None for no interval.
        high: Upper bound of ``y``.
        variant: A second mark joined to it: its x and y, None for no second one.
    """

    label: str
    x: float
    y: float
    low: float | None = None
    high: float | None = None
    variant: tuple[float, float] | None = None


def tradeoff(marks: Sequence[Mark], x_title: str, y_title: str, canvas: Canvas) -> Spec:
    """Shares with intervals against a cost, each mark named at the right edge.

    Args:
        marks: The marks; ``y`` is a share.
        x_title: Title of the horizontal axis.
        y_title: Title of the vertical axis.
        canvas: Its room.
    """
    height = 300 if canvas.is_narrow else 340
    room = min(0.42 * canvas.width, 14 + CHARACTER * max((len(mark.label) for mark in marks), default=0))
    bounds = [v for m in marks for v in (m.y, m.low, m.high, m.variant and m.variant[1]) if v is not None]
    low, high = _padded(min(bounds, default=0.0), max(bounds, default=1.0))
    costs = [v for m in marks for v in (m.x, m.variant and m.variant[0]) if v is not None]
    left, right = _padded(min(costs, default=0.0), max(costs, default=1.0), floor=0.0)
    spread = _apart([mark.y for mark in marks], gap=(high - low) * 16 / height, low=low, high=high)
    rows = [
        {
            "label": mark.label,
            "x": mark.x,
            "y": mark.y,
            "low": mark.low,
            "high": mark.high,
            "x2": mark.variant[0] if mark.variant else None,
            "y2": mark.variant[1] if mark.variant else None,
            "at": at,
        }
        for mark, at in zip(marks, spread, strict=True)
    ]
    x = {
        "field": "x",
        "type": "quantitative",
        "title": x_title,
        "scale": {"domain": [left, right], "nice": False, "zero": False},
        "axis": {"tickCount": 3 if canvas.is_narrow else 4, "format": ",d", "grid": False, "domain": True},
    }
    y = share_axis("y", y_title, [low, high])
    edge, end = {"value": "width"}, {"value": round(canvas.width - 44)}
    has_interval, has_variant = "isValid(datum.low)", "isValid(datum.x2)"
    hollow = {"type": "point", "shape": "diamond", "filled": False, "color": SECOND, "size": 70}
    return {
        "width": round(canvas.width - room - 44),
        "height": height,
        "data": {"values": rows},
        "encoding": {"x": x, "y": y},
        "layer": [
            # Unseen: it keeps the room of the names, whatever face the reader's machine writes them in.
            {
                "mark": {"type": "rule", "opacity": 0},
                "encoding": {"x": edge, "x2": end, "y": {"value": 0}},
            },
            {
                "mark": {"type": "rule", "color": FAINT, "strokeWidth": 1, "strokeDash": [1, 3]},
                "encoding": {"x2": edge, "y2": {"field": "at"}},
            },
            {
                "transform": [{"filter": has_interval}],
                "mark": {"type": "rule", "color": ACCENT},
                "encoding": {"y": {**y, "field": "low"}, "y2": {"field": "high"}},
            },
            {
                "transform": [{"filter": has_variant}],
                "mark": {"type": "rule", "color": SECOND, "strokeDash": [3, 3], "strokeWidth": 1.25},
                "encoding": {"x2": {"field": "x2"}, "y2": {"field": "y2"}},
            },
            {
                "transform": [{"filter": has_variant}],
                "mark": hollow,
                "encoding": {"x": {**x, "field": "x2"}, "y": {**y, "field": "y2"}},
            },
            {"mark": {"type": "point", "filled": True, "color": ACCENT, "size": 90}},
            {
                "mark": {"type": "text", "align": "left", "dx": 6, "baseline": "middle", "limit": room - 8},
                "encoding": {"x": edge, "y": {**y, "field": "at"}, "text": {"field": "label"}},
            },
        ],
    }


def _padded(low: float, high: float, *, floor: float | None = None) -> tuple[float, float]:
    """A domain with air around its values, never empty."""
    air = 0.08 * (high - low) or 0.1 * abs(high) or 0.1
    low, high = low - air, high + air
    return (low if floor is None else max(floor, low)), high


def _apart(values: Sequence[float], *, gap: float, low: float, high: float) -> list[float]:
    """The values moved apart until their distance is ``gap``, inside the bounds if they fit."""
    order = sorted(range(len(values)), key=lambda index: values[index])
    placed = [values[index] for index in order]
    for number in range(1, len(placed)):
        placed[number] = max(placed[number], placed[number - 1] + gap)
    over = placed[-1] - high if placed else 0.0
    if over > 0:
        placed[-1] = high
        for number in range(len(placed) - 2, -1, -1):
            placed[number] = min(placed[number], placed[number + 1] - gap)
    result = [0.0] * len(values)
    for index, value in zip(order, placed, strict=True):
        result[index] = max(low, value)
    return result
