"""Statistics of comparisons: bootstraps of one and two stages, tests of difference and of equivalence."""

from sqlmend.eval.statistics._equivalence import Equivalence, equivalence
from sqlmend.eval.statistics._hierarchical import hierarchical_weights
from sqlmend.eval.statistics._holm import holm
from sqlmend.eval.statistics._mcnemar import mcnemar
from sqlmend.eval.statistics._needed import POWER, least_p, questions_needed
from sqlmend.eval.statistics._paired import Difference, difference, paired_bootstrap
from sqlmend.eval.statistics._quantity import LEVEL, Quantity
from sqlmend.eval.statistics._ratio import Ratio, ratio
from sqlmend.eval.statistics._resampling import Resampled, cluster_weights, resample, unit_sums

__all__ = [
    "LEVEL",
    "POWER",
    "Difference",
    "Equivalence",
    "Quantity",
    "Ratio",
    "Resampled",
    "cluster_weights",
    "difference",
    "equivalence",
    "hierarchical_weights",
    "holm",
    "least_p",
    "mcnemar",
    "paired_bootstrap",
    "questions_needed",
    "ratio",
    "resample",
    "unit_sums",
]
