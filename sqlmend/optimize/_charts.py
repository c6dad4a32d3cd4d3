"""The charts of a study as Vega-Lite specifications; nothing is said by colour alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from sqlmend._files import canonical_json
from sqlmend.eval.report import Canvas

Spec = dict[str, Any]
Trial = Mapping[str, Any]

_INK, _ACCENT, _SECOND, _FAINT = "var(--ink)", "var(--accent)", "var(--second)", "var(--faint)"
_SHARE = {"format": ".0%", "tickCount": 5}


def history(trials: Sequence[Trial], canvas: Canvas) -> Spec:
    """EX by trial: filled circles are complete, crosses were given up; a step line is the best so far."""
    best = 0.0
    rows = []
    for trial in trials:
        complete = trial["state"] == "complete"
        best = max(best, trial["ex"]) if complete else best
        rows.append({"x": trial["number"], "ex": trial["ex"], "complete": complete, "best": best or None})
    x: Spec = {"field": "x", "type": "quantitative", "title": "trial"}
    x["axis"] = {"format": ",d", "tickMinStep": 1, "grid": False, "domain": True}
    return {
        "width": canvas.width - 70,
        "height": 260,
        "data": {"values": rows},
        "encoding": {"x": x},
        "layer": [
            {
                "transform": [{"filter": "isValid(datum.best)"}],
                "mark": {"type": "line", "interpolate": "step-after", "color": _SECOND, "strokeWidth": 1.5},
                "encoding": {"y": _ex("best")},
            },
            *_points("ex", 60),
        ],
    }


def importances(shares: Mapping[str, float], canvas: Canvas) -> Spec:
    """Bars of each setting's share in the variance of EX, the greatest first."""
    rows = [{"setting": path, "share": share} for path, share in shares.items()]
    x = {"field": "share", "type": "quantitative", "title": "share of variance", "axis": {"format": ".0%"}}
    y = {"field": "setting", "type": "nominal", "sort": list(shares), "title": None}
    room = min(0.5 * canvas.width, 20 + 7.4 * max(map(len, shares), default=0))
    return {
        "width": round(canvas.width - room - 20),
        "height": {"step": 22},
        "data": {"values": rows},
        "mark": {"type": "bar", "color": _ACCENT, "height": 11},
        "encoding": {"x": x, "y": y},
    }


def slices(trials: Sequence[Trial], paths: Sequence[str], canvas: Canvas) -> Spec:
    """EX by the value of each setting, one small chart for each setting."""
    values = {path: sorted({_text(t["settings"][path]) for t in trials}, key=_key) for path in paths}
    panels = []
    columns = 1 if canvas.is_narrow else min(3, len(paths))
    for path in paths:
        rows = [
            {"value": _text(t["settings"][path]), "ex": t["ex"], "complete": t["state"] == "complete"}
            for t in trials
        ]
        x: Spec = {"field": "value", "type": "ordinal", "sort": values[path], "title": path}
        x["axis"] = {"labelAngle": 0, "labelOverlap": True, "grid": False, "domain": True}
        panels.append(
            {
                "width": round((canvas.width - 60 * columns) / columns),
                "height": 150,
                "data": {"values": rows},
                "encoding": {"x": x},
                "layer": _points("ex", 30),
            }
        )
    return {"concat": panels, "columns": columns}


def contour(trials: Sequence[Trial], first: str, second: str, canvas: Canvas) -> Spec:
    """Mean EX over the values of two settings; each cell says its mean, so that its shade is no need."""
    cells: dict[tuple[str, str], list[float]] = {}
    for trial in trials:
        key = _text(trial["settings"][first]), _text(trial["settings"][second])
        cells.setdefault(key, []).append(trial["ex"])
    means = {key: sum(found) / len(found) for key, found in cells.items()}
    rows = [{"a": a, "b": b, "ex": mean} for (a, b), mean in means.items()]

    def axis(field: str, path: str, place: int) -> Spec:
        names = sorted({key[place] for key in cells}, key=_key)
        look = {"labelAngle": 0, "labelOverlap": True, "grid": False}
        return {"field": field, "type": "ordinal", "sort": names, "title": path, "axis": look}

    low, high = min(means.values()), max(means.values())
    opacity: Spec = {"field": "ex", "type": "quantitative", "legend": None}
    opacity["scale"] = {"domain": [low, high] if high > low else [0, 1], "range": [0.08, 0.55]}
    return {
        "width": canvas.width - 130,
        "height": {"step": 26},
        "data": {"values": rows},
        "encoding": {"x": axis("a", first, 0), "y": axis("b", second, 1)},
        "layer": [
            {"mark": {"type": "rect", "color": _ACCENT}, "encoding": {"opacity": opacity}},
            {
                "mark": {"type": "text", "color": _INK, "fontSize": 10},
                "encoding": {"text": {"field": "ex", "type": "quantitative", "format": ".0%"}},
            },
        ],
    }


def _points(field: str, size: int) -> list[Spec]:
    filled = {"type": "point", "filled": True, "color": _ACCENT, "size": size}
    cross = {"type": "point", "shape": "cross", "filled": False, "color": _FAINT, "size": size}
    return [
        {
            "transform": [{"filter": "!datum.complete"}],
            "mark": cross,
            "encoding": {"y": _ex(field)},
        },
        {
            "transform": [{"filter": "datum.complete"}],
            "mark": filled,
            "encoding": {"y": _ex(field)},
        },
    ]


def _ex(field: str) -> Spec:
    scale = {"zero": False, "nice": True}
    return {"field": field, "type": "quantitative", "title": "EX", "scale": scale, "axis": _SHARE}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else canonical_json(value)


def _key(text: str) -> tuple[float, str]:
    """Numbers by size, before words by letter."""
    try:
        return float(text), ""
    except ValueError:
        return float("inf"), text
