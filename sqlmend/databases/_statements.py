"""Statements of an SQL text, and what stands at their top level."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlmend.databases._tokens import Token, significant


def statements(sql: str) -> tuple[str, ...]:
    """The real statements of a text, as written, without the ``;`` between them.

    Comments and empty statements don't count. The ``;`` inside a trigger's body separate nothing.
    """
    return tuple(sql[found[0].start : found[-1].end] for found in split(significant(sql)))


def split(found: Sequence[Token]) -> list[list[Token]]:
    """Significant tokens by real statement, without the ``;`` between statements."""
    groups: list[list[Token]] = [[]]
    for token in found:
        if token.folded == ";" and not _in_trigger(groups[-1]):
            groups.append([])
        else:
            groups[-1].append(token)
    return [group for group in groups if group]


def is_query(sql: str) -> bool:
    """Whether a text is one real statement that begins like a query; if it may run, the engine decides."""
    found = split(significant(sql))
    return len(found) == 1 and found[0][0].folded in ("select", "with", "values")


def real_tokens(sql: str) -> list[Token]:
    """The significant tokens of a text's real statements, with one ``;`` between two of them."""
    return without_stray(significant(sql))


def without_stray(tokens: Sequence[Token]) -> list[Token]:
    """Significant tokens with one ``;`` between two real statements, and no other."""
    found: list[Token] = []
    for statement in split(tokens):
        if found:
            found.append(Token("operator", ";", found[-1].end))
        found += statement
    return found


def has_top_level(sql: str, phrase: str) -> bool:
    """Whether keywords such as ``ORDER BY`` or ``LIMIT`` stand outside all parentheses of a text.

    An ORDER BY of a subquery, a CTE, a window or an aggregate orders no result and does not count.
    """
    wanted = phrase.lower().split()
    words = [token.folded for token, depth in with_depth(significant(sql)) if depth == 0]
    return any(words[i : i + len(wanted)] == wanted for i in range(len(words)))


def with_depth(found: Sequence[Token]) -> Iterator[tuple[Token, int]]:
    """Each token with the number of parentheses around it; a parenthesis counts as inside itself."""
    depth = 0
    for token in found:
        if token.folded == "(":
            depth += 1
        yield token, depth
        if token.folded == ")":
            depth = max(0, depth - 1)


def _in_trigger(statement: Sequence[Token]) -> bool:
    head = [token.folded for token in statement[:6]]
    if head[:1] == ["explain"]:
        head = head[3:] if head[1:3] == ["query", "plan"] else head[1:]
    if head[1:2] in (["temp"], ["temporary"]):
        del head[1]
    return head[:2] == ["create", "trigger"] and [token.folded for token in statement[-2:]] != [";", "end"]
