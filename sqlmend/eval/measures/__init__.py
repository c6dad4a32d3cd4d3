"""Measures: from the folders of runs to the figures of a comparison."""

from sqlmend.eval.measures._features import FEATURES, sql_features
from sqlmend.eval.measures._figures import Cost, Figures, episode_figures
from sqlmend.eval.measures._results import results
from sqlmend.eval.measures._run_measures import catalogue, over_orders, run_measures

__all__ = [
    "FEATURES",
    "Cost",
    "Figures",
    "catalogue",
    "episode_figures",
    "over_orders",
    "results",
    "run_measures",
    "sql_features",
]
