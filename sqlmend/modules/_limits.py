"""How many characters of each kind of untrusted text a prompt shows at most."""

from __future__ import annotations

from dataclasses import replace

from sqlmend._text import cap
from sqlmend.memory import Execution

SCHEMA_LIMIT = 60_000
EVIDENCE_LIMIT = 4_000
QUESTION_LIMIT = 4_000
SQL_LIMIT = 4_000
ERROR_LIMIT = 600
DELTA_LIMIT = 1_200
REFLECTION_LIMIT = 800
HINT_LIMIT = 1_200
ROWS_LIMIT = 1_200
#: Of a status or a failure type.
NAME_LIMIT = 60


def cap_execution(attempt: Execution) -> Execution:
    """The attempt with texts as long as a prompt shows at most: a memory must not grow by one huge answer."""
    error = None if attempt.error is None else cap(attempt.error, ERROR_LIMIT)
    return replace(attempt, sql=cap(attempt.sql, SQL_LIMIT), error=error)
