"""Statistics of comparisons: cluster bootstraps, Holm's correction, McNemar's exact test."""

from sqlmend.eval.statistics._holm import holm
from sqlmend.eval.statistics._mcnemar import mcnemar
from sqlmend.eval.statistics._needed import POWER, least_p, questions_needed
from sqlmend.eval.statistics._paired import Difference, difference, paired_bootstrap
from sqlmend.eval.statistics._quantity import LEVEL, Quantity
from sqlmend.eval.statistics._resampling import Resampled, cluster_weights, resample, unit_sums

__all__ = [
    "LEVEL",
    "POWER",
    "Difference",
    "Quantity",
    "Resampled",
    "cluster_weights",
    "difference",
    "holm",
    "least_p",
    "mcnemar",
    "paired_bootstrap",
    "questions_needed",
    "resample",
    "unit_sums",
]
