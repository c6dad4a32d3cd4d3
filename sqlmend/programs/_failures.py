"""Which failures are those of one question alone."""

from __future__ import annotations

from sqlmend.errors import SqlmendError
from sqlmend.models import PER_QUESTION

#: Codes of failures that belong to one question; any other one would be met by the next as well.
OF_ONE_QUESTION = PER_QUESTION | {"context_overflow"}


def of_one_question(failure: Exception) -> bool:
    """Whether the next question may well go through: neither the disk nor the model's server has failed."""
    if isinstance(failure, SqlmendError):
        return failure.code in OF_ONE_QUESTION
    return not isinstance(failure, OSError | MemoryError)
