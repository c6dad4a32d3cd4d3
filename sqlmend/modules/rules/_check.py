"""The gate that needs no language model: what the schema, the data and the kept rules refuse."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from sqlmend._text import cap
from sqlmend.databases import Schema
from sqlmend.memory import Rule
from sqlmend.modules.contradictions import Facts, constant_fault
from sqlmend.modules.rules._anchors import Anchor, anchor_text, resolve_anchor
from sqlmend.modules.rules._conflicts import contradicts, repeats
from sqlmend.modules.rules._mentions import compared, unknown_names, whole_query

_ERROR_LIMIT = 200


@dataclass(frozen=True)
class Judged:
    """A proposed rule and what became of it.

    Attributes:
        rule: The rule, with its anchors in the schema's spelling where it is kept.
        kept: Whether it is kept.
        code: Why not: ``no_anchor``, ``unknown_anchor``, ``unknown_name``, ``query``, ``value``, ``format``,
            ``contradiction``, ``repetition`` or ``model``; ``""`` where it is kept.
        reason: The same in words.
    """

    rule: Rule
    kept: bool
    code: str = ""
    reason: str = ""


def check_rules(
    rules: Iterable[Rule], known: Sequence[Rule], schema: Schema, facts: Facts, *, bound: bool = True
) -> list[Judged]:
    """Judge proposed rules one after the other; what is kept counts as known for the next.

    Only constants that a *correction* compares with an anchored column are looked up: the mistaken form
    quotes wrong ones on purpose, and constants of arithmetic are no values. A correction that is a query from
    its first word to its last has to run: small models write the mistaken one again.

    Args:
        rules: The proposed rules.
        known: The rules that are kept already.
        schema: The schema that they are to be anchored in.
        facts: Reads of its database.
        bound: Whether anchors are demanded and checked, and constants with them.
    """
    kept = list(known)
    judged = []
    for rule in rules:
        verdict = _anchored(rule, schema, facts) if bound else Judged(rule, True)
        if verdict.kept:
            verdict = _new(verdict.rule, kept)
        if verdict.kept:
            kept.append(verdict.rule)
        judged.append(verdict)
    return judged


def _anchored(rule: Rule, schema: Schema, facts: Facts) -> Judged:
    texts = [text for text in rule.anchors if text.strip()]
    if not texts:
        return Judged(rule, False, "no_anchor", "it is bound to no table or column")
    anchors: list[Anchor] = []
    for text in texts:
        anchor = resolve_anchor(text, schema)
        if anchor is None:
            return Judged(rule, False, "unknown_anchor", f"the schema has no {text}")
        anchors.append(anchor)
    if (name := next(unknown_names(rule.correction, schema), None)) is not None:
        return Judged(rule, False, "unknown_name", f"the schema has no {name}")
    if (query := whole_query(rule.correction)) and (refused := facts.refusal(query)) is not None:
        return Judged(rule, False, "query", f"it is a query that does not run: {cap(refused, _ERROR_LIMIT)}")
    for anchor, operator, value, in_text in compared(rule.correction, schema, anchors):
        fault = constant_fault(anchor, operator, value, in_text, facts)
        if fault is not None:
            return Judged(rule, False, *fault)
    named = tuple(dict.fromkeys(map(anchor_text, anchors)))
    return Judged(Rule(rule.type, rule.pattern, rule.condition, rule.correction, named), True)


def _new(rule: Rule, kept: Sequence[Rule]) -> Judged:
    for other in kept:
        if contradicts(rule, other):
            return Judged(rule, False, "contradiction", f"a kept rule says: {other.correction}")
        if repeats(rule, other):
            return Judged(rule, False, "repetition", f"a kept rule says so: {other.correction}")
    return Judged(rule, True)
