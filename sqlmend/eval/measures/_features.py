"""What a query is made of, read off its own tokens: any text has an answer, broken ones too."""

from __future__ import annotations

from functools import lru_cache

from sqlmend.databases import statements, tokens

#: Features of a query, in the order of reports; ``plain`` has none of the others.
FEATURES = ("joins", "nesting", "grouping", "set_operations", "plain", "no_statement")

_SET_WORDS = frozenset(("union", "intersect", "except"))
_ENDS_FROM = frozenset(("select", "where", "group", "having", "window", "order", "limit")) | _SET_WORDS


@lru_cache(maxsize=1 << 16)
def sql_features(sql: str) -> tuple[str, ...]:
    """The features of a query, in the order of ``FEATURES``.

    ``joins``: a JOIN, or a comma between two tables. ``nesting``: a SELECT inside parentheses, that of a
    WITH included. ``grouping``: a GROUP BY. ``set_operations``: UNION, INTERSECT or EXCEPT. ``plain``: none
    of these. ``no_statement``: there is no statement in the text.
    """
    if not statements(sql):
        return ("no_statement",)
    words = [token.folded for token in tokens(sql) if token.kind not in ("space", "comment")]
    found = {"set_operations"} if _SET_WORDS & set(words) else set()
    in_from = [False]  # for each open parenthesis, whether its tables are being named
    for word, following in zip(words, [*words[1:], ""], strict=True):
        if word == "(":
            in_from.append(False)
        elif word == ")":
            if len(in_from) > 1:
                in_from.pop()
        elif word == "join" or (word == "," and in_from[-1]):
            found.add("joins")
        elif word == "group" and following == "by":
            found.add("grouping")
        elif word == "select" and len(in_from) > 1:
            found.add("nesting")
        if word == "from":
            in_from[-1] = True
        elif word in _ENDS_FROM:
            in_from[-1] = False
    return tuple(feature for feature in FEATURES if feature in found) or ("plain",)
