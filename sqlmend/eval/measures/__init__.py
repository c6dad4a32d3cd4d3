"""Measures: from the folders of runs to the figures of a comparison."""

from sqlmend.eval.measures._classifier import score_labels
from sqlmend.eval.measures._failures import Failure, failures, sample_failures
from sqlmend.eval.measures._features import FEATURES, sql_features
from sqlmend.eval.measures._figures import Cost, Figures, episode_figures
from sqlmend.eval.measures._labels import LABELS, Labelled, read_labels, write_labels
from sqlmend.eval.measures._results import results
from sqlmend.eval.measures._run_measures import catalogue, over_orders, run_measures

__all__ = [
    "FEATURES",
    "LABELS",
    "Cost",
    "Failure",
    "Figures",
    "Labelled",
    "catalogue",
    "episode_figures",
    "failures",
    "over_orders",
    "read_labels",
    "results",
    "run_measures",
    "sample_failures",
    "score_labels",
    "sql_features",
    "write_labels",
]
