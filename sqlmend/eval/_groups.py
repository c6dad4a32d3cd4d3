"""Groups of paraphrase twins: questions of one database that share a reference."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmend.databases import canonical


def group_ordinals(pairs: Iterable[tuple[str, str]]) -> list[int]:
    """For each (database, reference) the ordinal of its group, numbered by first appearance.

    References are equal when their canonical texts are, the case of literals folded too: benchmarks
    write ``'Asia'`` and ``'asia'`` for one and the same question.
    """
    ordinals: dict[tuple[str, str], int] = {}
    return [
        ordinals.setdefault((db_id, canonical(reference).casefold()), len(ordinals))
        for db_id, reference in pairs
    ]
