"""The charts of reports as Vega-Lite specifications: what is drawn, at which width."""

from sqlmend.eval.report._charts._bars import Bar, bars
from sqlmend.eval.report._charts._canvas import HALF, NARROW, WIDE, Canvas, Spec, both
from sqlmend.eval.report._charts._curves import Curve, curves
from sqlmend.eval.report._charts._forest import Interval, forest
from sqlmend.eval.report._charts._tradeoff import Mark, tradeoff

__all__ = [
    "HALF",
    "NARROW",
    "WIDE",
    "Bar",
    "Canvas",
    "Curve",
    "Interval",
    "Mark",
    "Spec",
    "bars",
    "both",
    "curves",
    "forest",
    "tradeoff",
]
