"""Crystallization: what stored corrections are worth, as replay, retention and transfer, measured apart."""

from sqlmend.eval.crystallization._admission import Admission, Noisy, Verified, Vote, parse_admission
from sqlmend.eval.crystallization._assertions import Assertions, Confirmed
from sqlmend.eval.crystallization._bank import (
    counts,
    foreign,
    fraction,
    matched,
    permuted,
    read_bank,
    without_sql,
    write_bank,
)
from sqlmend.eval.crystallization._candidates import Candidate, candidates
from sqlmend.eval.crystallization._design import Design, default_design, parse_vary
from sqlmend.eval.crystallization._own_questions import own_candidates
from sqlmend.eval.crystallization._pieces import Piece
from sqlmend.eval.crystallization._request import CrystallizationRequest
from sqlmend.eval.crystallization._results import study_results
from sqlmend.eval.crystallization._source_run import SourceRun
from sqlmend.eval.crystallization._study import StudyObserver, crystallize
from sqlmend.eval.crystallization._written import Written, write_cards

__all__ = [
    "Admission",
    "Assertions",
    "Candidate",
    "Confirmed",
    "CrystallizationRequest",
    "Design",
    "Noisy",
    "Piece",
    "SourceRun",
    "StudyObserver",
    "Verified",
    "Vote",
    "Written",
    "candidates",
    "counts",
    "crystallize",
    "default_design",
    "foreign",
    "fraction",
    "matched",
    "own_candidates",
    "parse_admission",
    "parse_vary",
    "permuted",
    "read_bank",
    "study_results",
    "without_sql",
    "write_bank",
    "write_cards",
]
