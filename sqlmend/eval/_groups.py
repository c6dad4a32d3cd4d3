"""Groups of paraphrase twins: questions of one database that share a reference."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmend.databases import canonical


def group_ordinals(pairs: Iterable[tuple[str, str]]) -> list[int]:
    """For each (database, reference) the ordinal of its group, numbered by first appearance."""
    ordinals: dict[tuple[str, str], int] = {}
    return [ordinals.setdefault(group_key(*pair), len(ordinals)) for pair in pairs]


def group_key(db_id: str, reference: str) -> tuple[str, str]:
    """What is equal for the questions of one group; it holds a reference and stays where it is made.

    References are equal when their canonical texts are, the case of literals folded too: benchmarks
    write ``'Asia'`` and ``'asia'`` for one and the same question.
    """
    return db_id, canonical(reference).casefold()
