"""Contradictions of candidates, found without a language model."""

from sqlmend.modules.contradictions._derive import derive
from sqlmend.modules.contradictions._facts import Facts
from sqlmend.modules.contradictions._find import find
from sqlmend.modules.contradictions._finding import Finding, about
from sqlmend.modules.contradictions._values import constant_fault

__all__ = ["Facts", "Finding", "about", "constant_fault", "derive", "find"]
