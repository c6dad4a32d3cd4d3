"""Whether a reference's result is determined by its data: a LIMIT may cut between equal keys."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from sqlmend.databases import Outcome, has_top_level
from sqlmend.databases._statements import with_depth
from sqlmend.databases._tokens import Token, significant


def limit_is_undetermined(sql: str, outcome: Outcome, run: Callable[[str], Outcome]) -> bool:
    """Whether a top-level LIMIT of a statement cuts between rows of equal ORDER BY keys that differ.

    Without an ORDER BY all keys are equal. The probe runs what stands before the LIMIT with the output
    columns as further keys, once ascending and once descending, up to each place where the LIMIT or its
    OFFSET cuts: only rows that tie can then differ.

    Args:
        sql: One statement that ran.
        outcome: What it gave, ok.
        run: Runs a derived text.
    """
    found = list(with_depth(significant(sql)))
    at = [i for i, (token, depth) in enumerate(found) if depth == 0 and token.folded == "limit"]
    if not at or not outcome.columns:
        return False
    limit = found[at[-1]][0]
    cuts = _cuts(sql, found[at[-1] + 1 :], len(outcome.rows))
    before = sql[: limit.start]
    glue = "," if has_top_level(before, "ORDER BY") else " ORDER BY"
    return any(
        _differ(*(run(_up_to(cut, before, glue, outcome, order)) for order in ("ASC", "DESC")))
        for cut in cuts
    )


def _up_to(cut: str, before: str, glue: str, outcome: Outcome, direction: str) -> str:
    keys = ", ".join(f"{place} COLLATE BINARY {direction}" for place in range(1, len(outcome.columns) + 1))
    return f"{before}{glue} {keys} LIMIT {cut}"


def _cuts(sql: str, found: Sequence[tuple[Token, int]], row_count: int) -> list[str]:
    """The row counts, as expressions, after which a LIMIT clause cuts."""
    parts: list[list[Token]] = [[]]
    separator = ""
    for token, depth in found:
        if depth == 0 and token.folded in ("offset", ","):
            separator = token.folded
            parts.append([])
        elif token.folded != ";":
            parts[-1].append(token)
    texts = [sql[part[0].start : part[-1].end] for part in parts if part]
    if separator == ",":
        texts.reverse()
    limit, *offset = texts
    cuts = list(offset)
    whole = limit.lstrip("-").isdecimal()
    if not whole or row_count == int(limit) > 0:
        cuts.append("+".join(f"({text})" for text in texts))
    return cuts


def _differ(one: Outcome, other: Outcome) -> bool:
    """Whether two probes tell of different rows; one that fails, or takes too long, tells nothing."""
    return one.status == other.status == "ok" and Counter(one.rows) != Counter(other.rows)
