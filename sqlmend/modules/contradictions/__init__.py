"""Contradictions of candidates: found by the machine first, then read by a model."""

from sqlmend.modules.contradictions._find import find
from sqlmend.modules.contradictions._finding import Finding

__all__ = ["Finding", "find"]
