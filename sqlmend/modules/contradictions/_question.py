"""Question findings: results that cannot be what was asked."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from sqlmend.modules.contradictions._comparisons import comparisons
from sqlmend.modules.contradictions._facts import Facts
from sqlmend.modules.contradictions._finding import Anchor, Finding, some_anchors
from sqlmend.modules.contradictions._query import Query, ordinal
from sqlmend.modules.contradictions._values import occurs
from sqlmend.modules.tree import Candidate, Result

_COUNT = re.compile(r"\b(how many|number of|count|how often|total number)\b", re.IGNORECASE)
_LIST = re.compile(r"^\s*(which|who|list|name|what are|give|show|find|return|display)\b", re.IGNORECASE)
_GROUPED = re.compile(r"\b(each|per|every|for all|by)\b", re.IGNORECASE)
_AVERAGE = re.compile(r"\b(average|mean|on average)\b", re.IGNORECASE)
_TOTAL = re.compile(r"\b(total|sum|altogether|together|in all)\b", re.IGNORECASE)
_LEAST = re.compile(r"\b(lowest|minimum|smallest|cheapest|shortest|fewest)\b", re.IGNORECASE)
_MOST = re.compile(r"\b(highest|maximum|largest|biggest|most expensive)\b", re.IGNORECASE)
_ONCE = re.compile(
    r"\b(each(\s+\w+)?\s+once|only once|without (repetition|duplicates)|different|distinct|unique)\b",
    re.IGNORECASE,
)
_SORTED = re.compile(
    r"\b(in alphabetical order|alphabetically|sorted|in (ascending|descending|order)|order(ed)? by"
    r"|by (rising|falling))\b(?! (first|last))|\bfirst\s*[.?]?\s*$",
    re.IGNORECASE,
)
#: What comes before a list of what is asked for, and what ends that list.
_ASKED = re.compile(r"\b(give|return|show|list|state|display|what (?:is|are))\b", re.IGNORECASE)
_ENDS = re.compile(
    r"\b(of|by|in|on|at|for|from|with|who|that|which|whose|where|whom|above|below|to|as|are|is|were|was|do|did)\b"
    r"|[.;:?]|,\s*(?:the|sorted|ordered)\b",
    re.IGNORECASE,
)

#: Code, words and what they are about.
_Said = tuple[str, str, tuple[Anchor, ...]]


def question_findings(candidate: Candidate, query: Query, question: str, facts: Facts) -> Iterator[Finding]:
    """What is wrong with one candidate's result, given the words of the question."""
    result = candidate.result
    if result is None or not result.ok:
        return
    for code, text, anchors in (
        *_emptiness(query, result, facts),
        *_shape(query, result, question),
        *_quantity(query, question),
        *_columns(query, result, question),
        *_rows(query, result, question, facts),
    ):
        yield Finding("question", code, text, (candidate.label,), some_anchors(anchors, query.tables))


def _emptiness(query: Query, result: Result, facts: Facts) -> Iterator[_Said]:
    from sqlglot import exp

    nothing = result.count == 0
    nulls = result.count == 1 and all(value is None for value in result.rows[0])
    if not nothing and not nulls:
        return
    code, told = ("empty", "the result is empty") if nothing else ("null_only", "the result is NULL alone")
    compared = [n for n in query.tree.find_all(exp.EQ, exp.NEQ) if isinstance(n.expression, exp.Null)]
    asked = [c for c in comparisons(query) if c.in_text and c.operator in ("=", "IN")]
    if compared:
        text = f"{told}: `{compared[0].sql(dialect='sqlite')}` is never true"
        yield code, text, query.anchors(compared[0])
    elif asked and all(occurs(comparison, facts) is not False for comparison in asked):
        anchors = tuple(comparison.ref.anchor for comparison in asked)
        yield code, f"{told}, although every value that it asks for is there", anchors


def _shape(query: Query, result: Result, question: str) -> Iterator[_Said]:
    counts = _COUNT.search(question) is not None
    if not counts and _LIST.search(question) and _only_counts(query):
        yield "count_for_list", "a list was asked for, and the result is a count", _of_selected(query)
    if re.match(r"\s*(how many|what is the number of)\b", question, re.IGNORECASE) and not _GROUPED.search(
        question
    ):
        several = result.count > 1 or (result.count == 1 and isinstance(result.rows[0][0], str))
        if several and not _aggregates(query):
            yield "list_for_count", "a number was asked for, and the result is a list", _of_selected(query)


def _quantity(query: Query, question: str) -> Iterator[_Said]:
    from sqlglot import exp

    names = [column.name for table in query.tables for column in table.columns]
    # A column that is called `average` asks for no average.
    question = re.sub(
        rf"\b({'|'.join(map(re.escape, names)) or '(?!)'})\b", " ", question, flags=re.IGNORECASE
    )
    used = _aggregates(query)
    about = query.anchors(*query.tree.find_all(exp.AggFunc))
    divides = _has(query, "Div")
    average, total = _AVERAGE.search(question), _TOTAL.search(question)
    if (
        average
        and not total
        and used
        and "AVG" not in used
        and not divides
        and used <= {"SUM", "TOTAL", "MAX", "MIN"}
    ):
        yield "quantity", f"an average was asked for, and the query takes {', '.join(sorted(used))}", about
    if total and not average and used == {"AVG"}:
        yield "quantity", "a total was asked for, and the query takes an average", about
    least, most = _LEAST.search(question), _MOST.search(question)
    if least and not most and used == {"MAX"}:
        yield "quantity", f"the {least[0].lower()} was asked for, and the query takes the greatest", about
    if most and not least and used == {"MIN"}:
        yield "quantity", f"the {most[0].lower()} was asked for, and the query takes the least", about


def _columns(query: Query, result: Result, question: str) -> Iterator[_Said]:
    from sqlglot import exp

    asked = _asked(query, question)
    top = query.top
    if top is None:
        return
    about = tuple((t.name, c.name) for t in query.tables for c in t.columns if c.name in asked)
    stars = any(isinstance(item.unalias(), exp.Star) for item in top.select.expressions)
    if stars and asked and len(result.columns) > len(asked):
        yield (
            "columns",
            f"{', '.join(asked)} was asked for, and the result has all {len(result.columns)} columns",
            about,
        )
    elif not stars and len(result.columns) < len(asked):
        text = f"{', '.join(asked)} were asked for, and the result has {len(result.columns)} column"
        yield "columns", text, about


def _asked(query: Query, question: str) -> list[str]:
    """Columns of the query's tables that the list behind the last `give` and its kind names."""
    found = list(_ASKED.finditer(question))
    if not found:
        return []
    part = _ENDS.split(question[found[-1].end() :])[0]
    text = " ".join(re.findall(r"[\w']+", part.lower()))
    named = {column.name for table in query.tables for column in table.columns}
    spoken = {" ".join(re.findall(r"[^\W_]+", name.lower())): name for name in named}
    hits: list[str] = []
    for words in sorted(spoken, key=len, reverse=True):
        pattern = rf"\b{re.escape(words)}s?\b"
        if words and re.search(pattern, text):
            hits.append(spoken[words])
            text = re.sub(pattern, "|", text)
    return sorted(hits)


def _rows(query: Query, result: Result, question: str, facts: Facts) -> Iterator[_Said]:
    if _ONCE.search(question) and len(set(result.rows)) < len(result.rows) and not _aggregates(query):
        yield "duplicates", "each was asked for once, and rows repeat", _of_selected(query)
    if _SORTED.search(question) and result.count > 1 and not _has(query, "Order"):
        yield "order", "an order was asked for, and the query sorts nothing", _of_selected(query)
    if (tied := _tied(query, facts)) is not None:
        key = tied.sql(dialect="sqlite")
        text = f"the row behind the last one has the same {key}: LIMIT drops it by chance"
        yield "ties", text, query.anchors(tied)


def _tied(query: Query, facts: Facts) -> Any:
    """The sort key of a query with LIMIT 1 that its second row shares with the first, or None."""
    from sqlglot import exp

    tree = query.tree
    order, limit = tree.args.get("order"), tree.args.get("limit")
    if not isinstance(tree, exp.Select) or order is None or limit is None or tree.args.get("offset"):
        return None
    if limit.expression.sql() != "1" or tree.args.get("distinct"):
        return None
    probe = tree.copy()
    probe.set("limit", exp.Limit(expression=exp.Literal.number(2)))
    keys = [_selected(item.this, tree) for item in order.expressions]
    probe.set("expressions", [*probe.expressions, *(key.copy() for key in keys)])
    rows = facts.rows(probe.sql(dialect="sqlite"))
    if rows is None or len(rows) < 2:
        return None
    tail = len(keys)
    if rows[0][-tail:] == rows[1][-tail:] and rows[0][:-tail] != rows[1][:-tail]:
        return keys[0]
    return None


def _selected(key: Any, tree: Any) -> Any:
    """A sort key as an expression that may stand among the selected ones."""
    from sqlglot import exp

    if (place := ordinal(key, len(tree.expressions))) is not None:
        return tree.expressions[place].unalias()
    if isinstance(key, exp.Column) and not key.table:
        for item in tree.expressions:
            if item.alias and item.alias.lower() == key.name.lower():
                return item.unalias()
    return key


def _of_selected(query: Query) -> tuple[Anchor, ...]:
    """What the selected expressions read."""
    return query.anchors(*query.top.select.expressions) if query.top is not None else ()


def _only_counts(query: Query) -> bool:
    """Whether all that the query gives is one count."""
    from sqlglot import exp

    top = query.top
    if top is None or isinstance(query.tree, exp.SetOperation) or top.select.args.get("group"):
        return False
    items: Sequence[Any] = [item.unalias() for item in top.select.expressions]
    return len(items) == 1 and isinstance(items[0], exp.Count)


def _aggregates(query: Query) -> set[str]:
    """The aggregate functions of the whole query."""
    from sqlglot import exp

    found = {type(node).__name__.upper() for node in query.tree.find_all(exp.AggFunc)}
    calls = {str(node.this).upper() for node in query.tree.find_all(exp.Anonymous)}
    return found | (calls & {"TOTAL"})


def _has(query: Query, name: str) -> bool:
    return any(type(node).__name__ == name for node in query.tree.walk())
