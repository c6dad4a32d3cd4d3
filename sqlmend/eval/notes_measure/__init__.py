"""Whether a refused statement is tried again: a live measurement of the failure notes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlmend._lazy import lazy_exports
from sqlmend.eval.notes_measure._arms import ARMS, OUTCOMES
from sqlmend.eval.notes_measure._scenario import KINDS, Scenario, load_scenarios

if TYPE_CHECKING:
    from sqlmend.eval.notes_measure._measure import MeasureRequest, measure
    from sqlmend.eval.notes_measure._results import summarize

__all__ = [
    "ARMS",
    "KINDS",
    "OUTCOMES",
    "MeasureRequest",
    "Scenario",
    "load_scenarios",
    "measure",
    "summarize",
]

# These need dspy or numpy.
__getattr__ = lazy_exports(
    __name__, {"MeasureRequest": "_measure", "measure": "_measure", "summarize": "_results"}
)
