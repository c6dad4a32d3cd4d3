"""Tuning: an Optuna study over a program's retrieval settings that is a DSPy optimizer."""

from typing import TYPE_CHECKING, Any

from sqlmend._extras import require
from sqlmend._lazy import lazy_exports

if TYPE_CHECKING:
    from sqlmend.optimize._evaluation import Evaluated, Evaluation, StreamEvaluation
    from sqlmend.optimize._pruner import PairedPruner
    from sqlmend.optimize._questions import as_examples, split_off
    from sqlmend.optimize._report import write_tuning_report
    from sqlmend.optimize._request import Tuned, TuneRequest
    from sqlmend.optimize._search import TrialEvent
    from sqlmend.optimize._space import Space, build_space, read_space
    from sqlmend.optimize._tune import prepare, tune, work
    from sqlmend.optimize._tuner import RetrievalTuner
    from sqlmend.optimize._what_if import what_if

__all__ = [
    "Evaluated",
    "Evaluation",
    "PairedPruner",
    "RetrievalTuner",
    "Space",
    "StreamEvaluation",
    "TrialEvent",
    "TuneRequest",
    "Tuned",
    "as_examples",
    "build_space",
    "prepare",
    "read_space",
    "split_off",
    "tune",
    "what_if",
    "work",
    "write_tuning_report",
]

# These need dspy or optuna, which take seconds to import, and the latter an extra.
_load = lazy_exports(
    __name__,
    {
        "Evaluated": "_evaluation",
        "Evaluation": "_evaluation",
        "PairedPruner": "_pruner",
        "RetrievalTuner": "_tuner",
        "Space": "_space",
        "StreamEvaluation": "_evaluation",
        "TuneRequest": "_request",
        "TrialEvent": "_search",
        "Tuned": "_request",
        "as_examples": "_questions",
        "build_space": "_space",
        "prepare": "_tune",
        "read_space": "_space",
        "split_off": "_questions",
        "tune": "_tune",
        "what_if": "_what_if",
        "work": "_tune",
        "write_tuning_report": "_report",
    },
)


def __getattr__(name: str) -> Any:
    if name in __all__:
        require("optuna", extra="tune")
    return _load(name)
