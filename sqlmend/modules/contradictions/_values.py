"""Schema findings: constants, types and formats that a column does not have."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlmend.databases import Table
from sqlmend.modules.contradictions._comparisons import RANGES, Comparison, comparisons
from sqlmend.modules.contradictions._facts import Facts, is_number, literal, quoted
from sqlmend.modules.contradictions._finding import Finding
from sqlmend.modules.contradictions._query import Query, Ref, Source

_FEW = 30
_SHORT = 3
_DATE_FUNCTIONS = frozenset(("DATE", "DATETIME", "TIME", "JULIANDAY", "UNIXEPOCH", "STRFTIME", "TIMEDIFF"))
#: Forms of dates that sort by date as text.
_SORTABLE = ("iso", "ymd", "compact")
_DATE_CLASSES = frozenset(("TimeToStr", "Date", "TsOrDsToTimestamp", "TsOrDsToDate", "Extract"))
_NUMERIC = re.compile(r"int|real|floa|doub|numeric|decimal|number", re.IGNORECASE)


def value_findings(
    label: str, query: Query, siblings: Sequence[Query], facts: Facts, words: str
) -> Iterator[Finding]:
    """Constants that a column does not hold, or not in this spelling, type or date format.

    Args:
        label: The candidate.
        query: Its query.
        siblings: The queries of the other candidates.
        facts: Reads of the database.
        words: Question and evidence: a constant that stands there was asked for, and may be absent.
    """
    others = [other for sibling in siblings for other in comparisons(sibling)]
    for comparison in comparisons(query):
        if (said := _fault(comparison, others, facts, words)) is not None:
            yield Finding("schema", said[0], said[1], (label,), (comparison.ref.anchor,))


def _fault(
    comparison: Comparison, others: Sequence[Comparison], facts: Facts, words: str
) -> tuple[str, str] | None:
    table, column = comparison.ref.anchor
    shown = f"{table}.{column}"
    if (said := _type_fault(comparison, facts, shown)) is not None or not comparison.in_text:
        return said
    form = facts.form(table, column) if not comparison.wrap else ""
    if form:
        return _format_fault(comparison, form, facts, shown)
    pattern = comparison.operator == "LIKE" and re.search("[%_]", comparison.value)
    if pattern or comparison.operator in RANGES or comparison.operator in ("GLOB", "IS"):
        return None
    return _absent(comparison, others, facts, words, shown)


def _type_fault(comparison: Comparison, facts: Facts, shown: str) -> tuple[str, str] | None:
    numeric, value = _is_numeric(comparison.ref), comparison.value
    if comparison.in_text and numeric and not comparison.wrap and comparison.operator != "LIKE":
        if not is_number(value) and facts.numeric(*comparison.ref.anchor):
            return "type", f"{shown} holds numbers and is compared with the text {literal(value)}"
    elif not comparison.in_text and comparison.operator in RANGES and _text_of_numbers(comparison, facts):
        return "type", f"{shown} holds numbers as text, and text is compared letter by letter"
    return None


def _format_fault(comparison: Comparison, form: str, facts: Facts, shown: str) -> tuple[str, str] | None:
    table, column = comparison.ref.anchor
    example = str(facts.sample(table, column)[0])
    patterns = {_digits_folded(str(value)) for value in facts.sample(table, column)}
    value = comparison.value
    folded = _digits_folded(value)
    if comparison.operator in ("LIKE", "GLOB"):
        fits = any(_like(folded, pattern) for pattern in patterns) or not any(c.isdigit() for c in value)
    else:
        fits = any(p.startswith(folded) or folded.startswith(p) for p in patterns)
    if not fits:
        return "format", f"{shown} is written like {literal(example)}, not like {literal(value)}"
    if form == "dmy" and comparison.operator in RANGES:
        return "format", f"{shown} is written like {literal(example)}, and such text does not sort by date"
    return None


def constant_fault(
    anchor: tuple[str, str], operator: str, value: str, in_text: bool, facts: Facts
) -> tuple[str, str] | None:
    """(``value`` or ``format``, words) where no row has a constant, or dates are written otherwise.

    A bound of a range need not be there. None where nothing speaks against the constant.

    Args:
        anchor: Table and column.
        operator: As in :class:`Comparison`.
        value: The constant, without quotes.
        in_text: Whether it is written as text.
        facts: Reads of the database.
    """
    table, column = anchor
    shown = f"{table}.{column}"
    comparison = Comparison(Ref(Source("", Table(table, ())), column), "", operator, value, False, in_text)
    form = facts.form(table, column)
    if in_text and form and (said := _format_fault(comparison, form, facts, shown)) is not None:
        return said
    if operator in RANGES:
        return None
    constant = literal(value) if in_text else value
    sign = operator if operator in ("LIKE", "GLOB") else "="
    if facts.occurs(table, f"{quoted(column)} {sign} {constant}") is False:
        return "value", f"{shown} has no {constant}"
    return None


def _absent(
    comparison: Comparison, others: Sequence[Comparison], facts: Facts, words: str, shown: str
) -> tuple[str, str] | None:
    """What is wrong with a constant that no row holds; None where it is there, or may be absent."""
    table, column = comparison.ref.anchor
    value = comparison.value
    if occurs(comparison, facts) is not False:
        return None
    near = facts.similar(table, column, value)
    if near is not None:
        return "value", f"{shown} has {literal(near)}, not {literal(value)}"
    told = f"{shown} has no {literal(value)}"
    same = [other for other in others if other.ref.anchor == comparison.ref.anchor and other.in_text]
    better = next(
        (other.value for other in same if other.operator in ("=", "IN") and occurs(other, facts)), None
    )
    if better is not None:
        return "value", f"{told}; another candidate has {literal(better)}, which is there"
    values = facts.values(table, column, _FEW)
    if values and len(value) > _SHORT and all(len(str(known)) <= _SHORT for known in values):
        codes = ", ".join(literal(str(known)) for known in values[:6])
        return "value", f"{told}: it holds codes such as {codes}"
    if not comparison.negated and value.strip() and value.casefold() not in words.casefold():
        return "value", f"{told}, and neither question nor evidence names it"
    return None


def occurs(comparison: Comparison, facts: Facts) -> bool | None:
    """Whether a row has what a comparison asks for; None where that cannot be found out."""
    table, column = comparison.ref.anchor
    side = f"{comparison.wrap}({quoted(column)})" if comparison.wrap else quoted(column)
    operator = "LIKE" if comparison.operator == "LIKE" else "="
    return facts.occurs(table, f"{side} {operator} {literal(comparison.value)}")


def use_findings(label: str, query: Query, facts: Facts) -> Iterator[Finding]:
    """Arithmetic on words, and dates that are not written as functions and sorting need them."""
    from sqlglot import exp

    for node in query.tree.walk():
        operands: list[Any] = []
        if isinstance(node, exp.Add | exp.Sub | exp.Mul | exp.Div | exp.Mod | exp.Sum | exp.Avg):
            operands = [node.this, node.args.get("expression")]
        for ref in _bare(operands, query):
            if facts.wordy(*ref.anchor):
                example = literal(str(facts.sample(*ref.anchor)[0]))
                yield Finding(
                    "schema",
                    "type",
                    f"{ref.table}.{ref.column} holds text like {example} and is used as a number",
                    (label,),
                    (ref.anchor,),
                )
        if _is_date_function(node):
            refs = _bare([*node.args.values()], query)
            yield from _date_findings(label, refs, facts, ("iso",), "date functions need")
        elif isinstance(node, exp.Min | exp.Max) or _sorts_before_a_cut(node, query):
            yield from _date_findings(label, _bare([node.this], query), facts, _SORTABLE, "sorting needs")


def _sorts_before_a_cut(node: Any, query: Query) -> bool:
    from sqlglot import exp

    block = query.block_of(node) if isinstance(node, exp.Ordered) else None
    return block is not None and block.select.args.get("limit") is not None


def _date_findings(
    label: str, refs: Sequence[Ref], facts: Facts, fine: Sequence[str], need: str
) -> Iterator[Finding]:
    for ref in refs:
        form = facts.form(*ref.anchor)
        if form and form not in fine:
            example = literal(str(facts.sample(*ref.anchor)[0]))
            text = f"{ref.table}.{ref.column} is written like {example}, and {need} 'YYYY-MM-DD'"
            yield Finding("schema", "format", text, (label,), (ref.anchor,))


def _bare(nodes: Sequence[Any], query: Query) -> list[Ref]:
    """The table columns among nodes and among lists of them, without anything around them."""
    from sqlglot import exp

    flat = [item for node in nodes for item in (node if isinstance(node, list) else [node])]
    refs = [query.resolve(node) for node in flat if isinstance(node, exp.Column)]
    bases = [query.base(ref) for ref in refs if ref is not None]
    return [ref for ref in bases if ref is not None]


def _is_date_function(node: Any) -> bool:
    return type(node).__name__ in _DATE_CLASSES or (
        type(node).__name__ == "Anonymous" and str(node.this).upper() in _DATE_FUNCTIONS
    )


def _declared(ref: Ref) -> str:
    columns = ref.source.table.columns if ref.source.table else ()
    return next((column.type for column in columns if column.name == ref.column), "")


def _is_numeric(ref: Ref) -> bool:
    return bool(_NUMERIC.search(_declared(ref)))


def _text_of_numbers(comparison: Comparison, facts: Facts) -> bool:
    """Whether a column holds numbers as text, of lengths that do not sort like numbers."""
    declared = _declared(comparison.ref)
    if not declared or _is_numeric(comparison.ref):
        return False
    values = facts.sample(*comparison.ref.anchor)
    if not values or not all(isinstance(value, str) and is_number(value) for value in values):
        return False
    return {len(value) for value in values} != {len(comparison.value)}


def _digits_folded(text: str) -> str:
    return re.sub(r"\d", "9", text)


def _like(pattern: str, text: str) -> bool:
    return bool(
        re.fullmatch("".join(".*" if c == "%" else "." if c == "_" else re.escape(c) for c in pattern), text)
    )
