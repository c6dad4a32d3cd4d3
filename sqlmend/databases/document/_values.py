"""Values: columns, constants and arithmetic as expressions of the aggregation language."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from sqlglot import exp

from sqlmend.databases.document._refusal import UnsupportedTranslation
from sqlmend.databases.document._scan import only

#: SQLite and the store hold whole numbers of 64 bits; a larger literal is a float in both.
_LARGEST = 2**63 - 1
_ARITHMETIC: Mapping[type[exp.Expr], str] = {exp.Add: "$add", exp.Sub: "$subtract", exp.Mul: "$multiply"}
_PREDICATES = (exp.Predicate, exp.Connector, exp.Not, exp.Between, exp.In)


@dataclass(frozen=True)
class Value:
    """A compiled value.

    Attributes:
        expression: It in the aggregation language.
        kind: ``number``, ``text``, ``null`` (the literal) or ``any`` where the schema does not tell.
        path: The field where it is a plain one.
        constant: The literal where it is one (None is also a literal: look at ``is_constant``).
        is_constant: Whether it is a literal.
    """

    expression: Any
    kind: str
    path: str | None = None
    constant: Any = None
    is_constant: bool = False


class Scope(Protocol):
    """What names mean where an expression stands: in a row, or in a group."""

    def column(self, node: exp.Column) -> Value:
        """The column."""
        ...

    def aggregate(self, node: exp.Expr) -> Value:
        """The aggregate."""
        ...


def field(path: str, kind: str) -> Value:
    """A plain field."""
    return Value(f"${path}", kind, path=path)


def constant(value: Any) -> Value:
    """A literal; ``$literal`` keeps text that begins with ``$`` from being read as a path."""
    kind = "null" if value is None else "text" if isinstance(value, str) else "number"
    return Value({"$literal": value}, kind, constant=value, is_constant=True)


def compile_value(node: exp.Expr, scope: Scope) -> Value:
    """The value of ``node``.

    Raises:
        UnsupportedTranslation: It holds what is not translated.
        SqlmendError: A name is unknown, or an aggregate stands where none may.
    """
    match node:
        case exp.Paren():
            value = compile_value(node.this, scope)
        case exp.Column():
            value = scope.column(node)
        case exp.Count() | exp.Sum() | exp.Avg() | exp.Min() | exp.Max():
            value = scope.aggregate(node)
        case exp.Null():
            value = constant(None)
        case exp.Boolean():
            value = constant(int(node.this))
        case exp.Literal():
            value = constant(node.this if node.is_string else _number(node.this))
        case exp.Neg():
            value = _negated(compile_value(node.this, scope))
        case exp.Add() | exp.Sub() | exp.Mul():
            only(node, "this", "expression")
            operands = [compile_value(node.this, scope), compile_value(node.expression, scope)]
            # The store's arithmetic gives null for a null operand, as SQL's does.
            expressions = [_numeric(operand).expression for operand in operands]
            value = Value({_ARITHMETIC[type(node)]: expressions}, "number")
        case _:
            raise UnsupportedTranslation(
                ["predicate_value" if isinstance(node, _PREDICATES) else "other"], node.key
            )
    return value


def _numeric(value: Value) -> Value:
    if value.kind == "text":
        raise UnsupportedTranslation(["mixed_types"])
    return value


def _negated(value: Value) -> Value:
    if value.is_constant and value.kind == "number":
        return constant(-value.constant)
    return Value({"$multiply": [_numeric(value).expression, -1]}, "number")


def whole_number(text: str) -> int | None:
    """The number that digits say, and None where it is larger than the store's integers or no digits are."""
    digits = text.lstrip("0") or "0"
    if not re.fullmatch(r"\d{1,19}", digits):
        return None
    number = int(digits)
    return number if number <= _LARGEST else None


def _number(text: str) -> int | float:
    whole = whole_number(text)
    return float(text) if whole is None else whole
