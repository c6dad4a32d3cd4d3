"""Names of tables in MySQL: on Linux their case tells two of them apart, that of a column never does."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlmend.databases._operands import folded_at
from sqlmend.databases._tokens import KEYWORDS, Token

_BEFORE_A_TABLE = frozenset("from join straight_join into update table tables references".split())
#: Behind these an UPDATE is no statement: ON UPDATE CASCADE, ON DUPLICATE KEY UPDATE, FOR UPDATE, a trigger.
_BEFORE_OTHER_UPDATES = frozenset(("on", "key", "for", "before", "after"))
_BETWEEN = frozenset(("if", "not", "exists", "low_priority", "ignore"))
_NO_NAMES = KEYWORDS | {"dual", "json_table", "lateral", "outfile", "dumpfile"}
#: To these a FROM belongs; to none of them in EXTRACT(YEAR FROM day).
_READS = frozenset(("select", "delete", "show"))


def with_exact_tables(found: Sequence[Token]) -> list[Token]:
    """The tokens of a statement of MySQL's, the names of tables as they stand (kind ``exact``).

    These are the names behind FROM and the like and before a dot, and what else has such a name: an alias or
    a common table where it is made. A column that is called like a table keeps its case with it.
    """
    places = {*_behind_verbs(found), *(i - 1 for i, token in enumerate(found) if token.text == ".")}
    tables = {found[i].name for i in places if i >= 0}

    def is_table(i: int) -> bool:
        named = _is_name(found[i]) and found[i].name in tables
        return named and (i in places or folded_at(found, i - 1) != ".")

    return [t._replace(kind="exact") if is_table(i) else t for i, t in enumerate(found)]


def _behind_verbs(found: Sequence[Token]) -> Iterator[int]:
    """Places of the names behind FROM, JOIN, INTO, UPDATE and TABLE; a comma goes on with the next one."""
    expected = listed = False
    reads = [True]  # for each open parenthesis: may a FROM in it be followed by a table?
    for i, token in enumerate(found):
        word = token.folded
        if word == "(":
            reads.append(False)
            expected, listed = expected and folded_at(found, i - 1) in ("from", "join"), False
        elif word == ")":
            if len(reads) > 1:
                reads.pop()
            expected = listed = False
        elif word in _BEFORE_A_TABLE:
            other = word == "update" and folded_at(found, i - 1) in _BEFORE_OTHER_UPDATES
            expected, listed = (reads[-1] or word != "from") and not other, False
        elif word == ",":
            expected, listed = listed, False
        elif word in (".", "as") or (expected and word in _BETWEEN):
            continue
        elif expected and _is_name(token):
            yield i
            expected, listed = folded_at(found, i + 1) == ".", True
        elif word in _READS:
            reads[-1] = True
            expected = listed = False
        else:  # an alias, or the end of the list
            expected, listed = False, listed and _is_name(token)


def _is_name(token: Token) -> bool:
    return token.kind == "quoted" or (token.kind == "word" and token.folded not in _NO_NAMES)
