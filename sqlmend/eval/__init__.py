"""Evaluation: benchmarks, the oracle, causal streams."""

from typing import TYPE_CHECKING

from sqlmend._lazy import lazy_exports
from sqlmend.eval._batch import Item, evaluate_batch
from sqlmend.eval._benchmark import Benchmark
from sqlmend.eval._definitions import DEFINITIONS
from sqlmend.eval._judge import judge
from sqlmend.eval._load import load_benchmark
from sqlmend.eval._oracle import Oracle
from sqlmend.eval._predictions import Predictions, read_predictions
from sqlmend.eval._rule_counters import rule_counters
from sqlmend.eval._run_folder import read_episodes
from sqlmend.eval._verdict import FLAGS, OUTCOMES, Verdict

if TYPE_CHECKING:
    from sqlmend.eval._ask import Answer, answer
    from sqlmend.eval._run import RunRequest, run
    from sqlmend.eval._stream import EpisodeDone, Stream

__all__ = [
    "DEFINITIONS",
    "FLAGS",
    "OUTCOMES",
    "Answer",
    "Benchmark",
    "EpisodeDone",
    "Item",
    "Oracle",
    "Predictions",
    "RunRequest",
    "Stream",
    "Verdict",
    "answer",
    "evaluate_batch",
    "judge",
    "load_benchmark",
    "read_episodes",
    "read_predictions",
    "rule_counters",
    "run",
]

# These run programs and need dspy; judging and loading do not wait for it.
__getattr__ = lazy_exports(
    __name__,
    {
        "Answer": "_ask",
        "EpisodeDone": "_stream",
        "RunRequest": "_run",
        "Stream": "_stream",
        "answer": "_ask",
        "run": "_run",
    },
)
