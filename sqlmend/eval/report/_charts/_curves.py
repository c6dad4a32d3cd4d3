"""Lines along a stream."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlmend.eval.report._charts._canvas import (
    ACCENT,
    FAINT,
    PAPER,
    SECOND,
    Canvas,
    Spec,
    share_axis,
    small_multiples,
)


@dataclass(frozen=True)
class Curve:
    """A line through points.

    Attributes:
        label: The program.
        points: x and share.
        is_second: Whether it belongs to the second way of running.
    """

    label: str
    points: Sequence[tuple[float, float]]
    is_second: bool = False


def curves(lines: Sequence[Curve], canvas: Canvas) -> Spec:
    """Lines, one small chart for each program, all other programs faint behind it."""
    labels = list(dict.fromkeys(line.label for line in lines))
    columns = small_multiples(len(labels), canvas)
    top = max((share for line in lines for _, share in line.points), default=1.0)
    x: Spec = {"field": "x", "type": "quantitative", "title": None, "scale": {"zero": True}}
    x["axis"] = {"tickCount": 3, "format": ",d", "grid": False, "domain": True}
    y = share_axis("y", None, [0, min(1.0, top * 1.1) or 1.0])
    y["axis"]["tickCount"] = 3

    def rows(line: Curve, panel: str) -> list[Mapping[str, Any]]:
        name = f"{line.label} {line.is_second}"
        return [{"panel": panel, "line": name, "x": px, "y": py} for px, py in line.points]

    behind = [
        row for panel in labels for line in lines if line.label != panel and not line.is_second
        for row in rows(line, panel)
    ]  # fmt: skip
    own = [
        {**row, "front": True, "second": line.is_second} for line in lines for row in rows(line, line.label)
    ]
    point = {"filled": True, "size": 30}
    width = round((canvas.width - 50 - 40 * (columns - 1)) / columns)
    header = {"labelLimit": width + 14}
    return {
        "data": {"values": [*behind, *own]},
        "facet": {"field": "panel", "type": "nominal", "sort": labels, "title": None, "header": header},
        "columns": columns,
        "resolve": {"axis": {"x": "independent"}},
        "spec": {
            "width": width,
            "height": 110,
            "encoding": {"x": x, "y": y, "detail": {"field": "line"}},
            "layer": [
                {
                    "transform": [{"filter": "!datum.front"}],
                    "mark": {"type": "line", "color": FAINT, "strokeWidth": 1},
                },
                {
                    "transform": [{"filter": "datum.front && datum.second"}],
                    "mark": {"type": "line", "color": SECOND, "strokeDash": [4, 3], "strokeWidth": 1.75},
                },
                {
                    "transform": [{"filter": "datum.front && datum.second"}],
                    "mark": {
                        "type": "point",
                        "shape": "diamond",
                        "fill": PAPER,
                        "stroke": SECOND,
                        "size": 34,
                    },
                },
                {
                    "transform": [{"filter": "datum.front && !datum.second"}],
                    "mark": {"type": "line", "color": ACCENT, "point": {"color": ACCENT, **point}},
                },
            ],
        },
    }
