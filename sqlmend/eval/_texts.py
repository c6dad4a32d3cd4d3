"""What the oracle reads off an SQL text before it runs."""

from __future__ import annotations

import re

from sqlmend.databases import is_nondeterministic, reads_clock, statements
from sqlmend.databases._tokens import significant

# Most texts hold nothing of the kind, and reading them token by token costs more than running them.
_MAYBE_VOLATILE = re.compile(
    r"current_|random|now|(?:date|time|day|epoch|diff)\W*(?:\(|/\*|--)", re.IGNORECASE
)


def volatile(sql: str) -> tuple[str, ...]:
    """The flags of a text whose result may change while the data does not."""
    if not _MAYBE_VOLATILE.search(sql):
        return ()
    clock = ("clock_dependent",) if reads_clock(sql) else ()
    return (*clock, "nondeterministic") if is_nondeterministic(sql) else clock


def has_stray_semicolon(sql: str) -> bool:
    """Whether one statement comes with more than the one ``;`` that may end it."""
    if ";" not in sql.rstrip().removesuffix(";"):
        return False
    found = significant(sql)
    places = [i for i, token in enumerate(found) if token.folded == ";"]
    return len(statements(sql)) == 1 and places not in ([], [len(found) - 1])
