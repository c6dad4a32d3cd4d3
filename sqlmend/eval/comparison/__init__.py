"""Comparisons: programs side by side, each a causal stream of its own."""

from sqlmend.eval.comparison._compare import StreamObserver, compare
from sqlmend.eval.comparison._contenders import SAME_GROUPS, Contender, SameGroup, load_contenders
from sqlmend.eval.comparison._folder import read_config
from sqlmend.eval.comparison._pairs import parse_pairs
from sqlmend.eval.comparison._request import ComparisonRequest
from sqlmend.eval.comparison._streams import StreamId

__all__ = [
    "SAME_GROUPS",
    "ComparisonRequest",
    "Contender",
    "SameGroup",
    "StreamId",
    "StreamObserver",
    "compare",
    "load_contenders",
    "parse_pairs",
    "read_config",
]
