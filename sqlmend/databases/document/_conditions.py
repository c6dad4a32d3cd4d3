"""Conditions under SQL's three-valued logic, as documents of the store's query language.

Each condition is compiled twice: to what holds of exactly the rows for which it is true, and to what holds of
exactly those for which it is false. Where it is unknown (a null was compared) neither holds, so that NOT is
an exchange of the two, and no null has to be carried through. A comparison of a field with a constant becomes
a plain query of the store, which can use an index; everything else an ``$expr``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlglot import exp

from sqlmend.databases.document._pattern import like_to_regex
from sqlmend.databases.document._refusal import UnsupportedTranslation
from sqlmend.databases.document._scan import only
from sqlmend.databases.document._values import Scope, Value, compile_value, constant

Query = Mapping[str, Any]

ALWAYS: Query = {}
NEVER: Query = {"$expr": {"$literal": False}}

_COMPARISONS: Mapping[type[exp.Expr], str] = {
    exp.EQ: "$eq",
    exp.NEQ: "$ne",
    exp.LT: "$lt",
    exp.LTE: "$lte",
    exp.GT: "$gt",
    exp.GTE: "$gte",
}
_OPPOSITE = {"$eq": "$ne", "$ne": "$eq", "$lt": "$gte", "$gte": "$lt", "$gt": "$lte", "$lte": "$gt"}
_FLIPPED = {"$lt": "$gt", "$gt": "$lt", "$lte": "$gte", "$gte": "$lte"}


@dataclass(frozen=True)
class Condition:
    """What holds of the rows for which a condition is true, and for which it is false."""

    true: Query
    false: Query

    def __invert__(self) -> Condition:
        return Condition(self.false, self.true)

    def __and__(self, other: Condition) -> Condition:
        return Condition({"$and": [self.true, other.true]}, {"$or": [self.false, other.false]})

    def __or__(self, other: Condition) -> Condition:
        return ~(~self & ~other)


def compile_condition(node: exp.Expr, scope: Scope) -> Condition:
    """The condition ``node``.

    Raises:
        UnsupportedTranslation: It holds what is not translated.
        SqlmendError: A name is unknown, or an aggregate stands where none may.
    """
    match node:
        case exp.Paren():
            found = compile_condition(node.this, scope)
        case exp.Not():
            found = ~compile_condition(node.this, scope)
        case exp.And():
            found = compile_condition(node.this, scope) & compile_condition(node.expression, scope)
        case exp.Or():
            found = compile_condition(node.this, scope) | compile_condition(node.expression, scope)
        case _:
            found = _predicate(node, scope)
    return ~found if node.args.get("negate") else found


def _predicate(node: exp.Expr, scope: Scope) -> Condition:
    def value(part: str) -> Value:
        return compile_value(node.args[part], scope)

    match node:
        case exp.EQ() | exp.NEQ() | exp.LT() | exp.LTE() | exp.GT() | exp.GTE():
            only(node, "this", "expression")
            found = _compared(_COMPARISONS[type(node)], value("this"), value("expression"))
        case exp.Between():
            only(node, "this", "low", "high", "negate")
            found = _compared("$gte", value("this"), value("low")) & _compared(
                "$lte", value("this"), value("high")
            )
        case exp.In():
            only(node, "this", "expressions", "negate")
            found = _in(value("this"), [compile_value(item, scope) for item in node.expressions])
        case exp.Like():
            only(node, "this", "expression", "negate")
            found = _like(value("this"), value("expression"))
        case exp.Is() | exp.NullSafeEQ() | exp.NullSafeNEQ():
            only(node, "this", "expression")
            if isinstance(node.expression, exp.Boolean):  # IS TRUE asks for truth, not for equality
                raise UnsupportedTranslation(["other"], "is true")
            found = _same(value("this"), value("expression"))
            found = ~found if isinstance(node, exp.NullSafeNEQ) else found
        case _:
            found = _truth(compile_value(node, scope))
    return found


def _truth(value: Value) -> Condition:
    """A number as a condition: true unless it is 0."""
    if value.kind == "text":
        raise UnsupportedTranslation(["mixed_types"])
    return _compared("$ne", value, constant(0))


def _compared(operator: str, left: Value, right: Value) -> Condition:
    if "null" in (left.kind, right.kind):
        return Condition(NEVER, NEVER)
    _require_one_type(left, right)
    if left.is_constant and right.path is not None:
        left, right, operator = right, left, _FLIPPED.get(operator, operator)
    return Condition(_holds(operator, left, right), _holds(_OPPOSITE[operator], left, right))


def _holds(operator: str, left: Value, right: Value) -> Query:
    """Where neither side is null and the comparison holds."""
    if left.path is not None and right.is_constant:
        if operator == "$ne":
            return {left.path: {"$nin": [right.constant, None]}}
        return {left.path: {operator: right.constant}}
    # Null and a missing field sort before everything else.
    known = [{"$gt": [side.expression, None]} for side in (left, right) if not side.is_constant]
    return {"$expr": {"$and": [*known, {operator: [left.expression, right.expression]}]}}


def _same(left: Value, right: Value) -> Condition:
    """IS: two nulls are the same, and the answer is never unknown."""
    _require_one_type(left, right)
    if left.path is not None and right.is_constant:
        return Condition({left.path: right.constant}, {left.path: {"$ne": right.constant}})
    sides = [{"$ifNull": [side.expression, None]} for side in (left, right)]
    return Condition({"$expr": {"$eq": sides}}, {"$expr": {"$ne": sides}})


def _in(value: Value, items: list[Value]) -> Condition:
    if not items:
        return Condition(NEVER, ALWAYS)
    if value.path is None or not all(item.is_constant for item in items):
        found = _compared("$eq", value, items[0])
        for item in items[1:]:
            found |= _compared("$eq", value, item)
        return found
    for item in items:
        _require_one_type(value, item)
    known = [item.constant for item in items if item.kind != "null"]
    false: Query = {value.path: {"$nin": [*known, None]}}
    return Condition({value.path: {"$in": known}}, false if len(known) == len(items) else NEVER)


def _like(value: Value, pattern: Value) -> Condition:
    if pattern.kind == "null" or value.kind == "null":
        return Condition(NEVER, NEVER)
    if value.path is None or not isinstance(pattern.constant, str):
        raise UnsupportedTranslation(["pattern"])
    if value.kind == "number":
        raise UnsupportedTranslation(["mixed_types"])
    regex = {"$regex": like_to_regex(pattern.constant)}
    return Condition({value.path: regex}, {value.path: {"$not": regex, "$ne": None}})


def _require_one_type(left: Value, right: Value) -> None:
    # SQLite converts one side by its column's affinity; the store compares types first.
    if {left.kind, right.kind} == {"number", "text"}:
        raise UnsupportedTranslation(["mixed_types"])
