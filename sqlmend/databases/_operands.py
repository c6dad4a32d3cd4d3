"""Where SQL text expects a value, and which double-quoted words are compared like one."""

from __future__ import annotations

from collections.abc import Sequence

from sqlmend.databases._tokens import KEYWORDS, Token

_MATCHING = frozenset(("like", "glob", "regexp", "match", "between", "in"))
#: Operators whose operands are compared, in lower case; NOT may stand before a word among them.
COMPARING = _MATCHING | {"=", "==", "<>", "!=", "<", "<=", ">", ">=", "is"}
_BINDING = frozenset(("+", "-", "*", "/", "%", "||", "&", "|", "<<", ">>", "->", "->>", "~", "(", "."))
_VALUES = frozenset(("null", "end", "current_date", "current_time", "current_timestamp"))


def folded_at(found: Sequence[Token], i: int) -> str:
    """The keyword, bare name or operator at a place, ``""`` for anything else and beyond the ends."""
    return found[i].folded if 0 <= i < len(found) else ""


def expects_operand(found: Sequence[Token], i: int) -> bool:
    """Whether a value is expected at place ``i``, and not an operator or an alias."""
    if i == 0:
        return True
    before = found[i - 1]
    if before.kind == "operator":
        return before.text not in (")", "]", ".")
    return before.folded in KEYWORDS and before.folded not in _VALUES


def string_operands(found: Sequence[Token]) -> list[int]:
    """Places of the double-quoted words of a statement that are operands of a comparison.

    That is of ``=`` and its kind, IS (but not IS NULL), LIKE and its kind, IN with the members of its list,
    and BETWEEN with both bounds. A word with a dot beside it, or as a part of a larger operand, is none.
    """
    places: list[int] = []
    lists = [False]  # for each open parenthesis: is it a list behind IN?
    between = [0]  # for each open parenthesis: how many BETWEEN wait for their AND?
    upper_bound = -1
    for i, token in enumerate(found):
        match token.folded:
            case "(":
                subquery = folded_at(found, i + 1) in ("select", "with", "values")
                lists.append(folded_at(found, i - 1) == "in" and not subquery)
                between.append(0)
            case ")" if len(lists) > 1:
                lists.pop()
                between.pop()
            case "between":
                between[-1] += 1
            case "and" if between[-1]:
                between[-1] -= 1
                upper_bound = i + 1
            case "" if token.kind == "double" and (
                _is_left(found, i)
                or _is_right(found, i, i == upper_bound)
                or (lists[-1] and _is_member(found, i))
            ):
                places.append(i)
    return places


def _is_left(found: Sequence[Token], i: int) -> bool:
    """Whether a comparison follows; what is tested for NULL is a column, whatever its quotes."""
    after = folded_at(found, i + 1)
    if folded_at(found, i - 1) in _BINDING - {"("}:
        return False
    if after == "not":
        return folded_at(found, i + 2) in _MATCHING
    if after == "is":
        tested = i + 3 if folded_at(found, i + 2) == "not" else i + 2
        return folded_at(found, tested) != "null"
    return after in COMPARING


def _is_right(found: Sequence[Token], i: int, upper_bound: bool) -> bool:
    before = folded_at(found, i - 1)
    compared = before in COMPARING or (before == "not" and folded_at(found, i - 2) == "is")
    return (compared or upper_bound) and folded_at(found, i + 1) not in _BINDING


def _is_member(found: Sequence[Token], i: int) -> bool:
    return folded_at(found, i - 1) in ("(", ",") and folded_at(found, i + 1) in (")", ",")
