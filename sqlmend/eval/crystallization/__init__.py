"""Crystallization: what stored corrections are worth, as replay, retention and transfer, measured apart."""

from sqlmend.eval.crystallization._admission import Admission, Noisy, Verified, Vote, parse_admission
from sqlmend.eval.crystallization._assertions import Assertions, Confirmed
from sqlmend.eval.crystallization._bank import (
    foreign,
    fraction,
    matched,
    permuted,
    read_bank,
    without_sql,
    write_bank,
)
from sqlmend.eval.crystallization._candidates import Candidate, candidates, gives_first_answers
from sqlmend.eval.crystallization._own_questions import own_candidates

__all__ = [
    "Admission",
    "Assertions",
    "Candidate",
    "Confirmed",
    "Noisy",
    "Verified",
    "Vote",
    "candidates",
    "foreign",
    "fraction",
    "gives_first_answers",
    "matched",
    "own_candidates",
    "parse_admission",
    "permuted",
    "read_bank",
    "without_sql",
    "write_bank",
]
