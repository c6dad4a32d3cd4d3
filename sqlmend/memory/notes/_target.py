"""What a statement writes to, and how."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend.databases._statements import split, with_depth
from sqlmend.databases._tokens import Token, significant

_WRITE = {
    verb: verb
    for verb in "insert update delete merge truncate create alter drop rename call copy grant revoke".split()
} | {"replace": "insert"}  # MySQL's and SQLite's REPLACE is an INSERT
_READ = frozenset(("select", "values", "table", "from"))
#: Words between a verb and the name of what it changes.
_BETWEEN = frozenset(
    "into or ignore abort fail rollback replace only from table if exists not low_priority delayed quick "
    "high_priority temp temporary unique materialized concurrently all overwrite".split()
)


def targets(shape: str) -> tuple[tuple[str, str], ...]:
    """Verb and table of each statement that writes; nothing where all of them read.

    Names are without quotes and in lower case. Two statements write the same where these are equal.
    """
    found = (_target(statement) for statement in split(significant(shape)))
    return tuple(target for target in found if target is not None)


def _target(statement: Sequence[Token]) -> tuple[str, str] | None:
    top = [token for token, depth in with_depth(statement) if depth == 0]
    start = 0
    if top and top[0].folded == "with":  # the verb stands behind the common tables
        start = next((i for i, token in enumerate(top) if token.folded in _WRITE.keys() | _READ), len(top))
    if start >= len(top) or top[start].folded not in _WRITE:
        return None
    place = start + 1
    while place < len(top) and top[place].folded in _BETWEEN:
        place += 1
    name = [token.name for token in top[place : place + 1]]
    while place + 2 < len(top) and top[place + 1].text == ".":
        place += 2
        name.append(top[place].name)
    return _WRITE[top[start].folded], ".".join(name)
