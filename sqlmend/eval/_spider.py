"""The texts and the comparison of Spider's test-suite evaluator, quirks included.

Source: Zhong, Yu and Klein, "Semantic Evaluation for Text-to-SQL with Distilled Test Suites"
(EMNLP 2020), and the evaluator that its authors published. Written anew from its behaviour.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from sqlmend.eval._rows import Row

_SPLIT_OPERATORS = (("> =", ">="), ("< =", "<="), ("! =", "!="))
_CURRENT_YEAR = re.compile(r"YEAR\s*\(\s*CURDATE\s*\(\s*\)\s*\)\s*", re.IGNORECASE)

# The words as the evaluator's tokenizer sees them: what is quoted or commented out is one token each,
# a backslash escapes a quote, and a sigil belongs to its word.
_TOKEN = re.compile(
    r"""
    (?:--|\#\ ).*?(?:\r\n|\r|\n|$)
    | /\*[\s\S]*?\*/
    | `(?:``|[^`])*`
    | '(?:''|\\'|[^'])*'
    | "(?:""|\\"|[^"])*"
    | (?<![\w\])])\[[^\]\[]+\]
    | (?:(?<!\w)[$:]|[@\#\\])?\w[\w$\#]*
    """,
    re.VERBOSE,
)


def official_prediction(sql: str, *, keep_distinct: bool) -> str:
    """The text that the evaluator runs for a prediction; the bare word ``value`` stands for 1."""
    return official_reference(sql.replace(" value ", " 1 "), keep_distinct=keep_distinct)


def official_reference(sql: str, *, keep_distinct: bool) -> str:
    """The text that the evaluator runs for a reference."""
    for split, whole in _SPLIT_OPERATORS:
        sql = sql.replace(split, whole)
    if not keep_distinct:
        sql = without_distinct(sql)
    return _CURRENT_YEAR.sub("2020", sql)


def without_distinct(sql: str) -> str:
    """``sql`` less every word DISTINCT that is not quoted or commented out."""
    return _TOKEN.sub(lambda token: "" if token[0].lower() == "distinct" else token[0], sql)


def order_matters(reference_sql: str) -> bool:
    """Whether the evaluator compares rows in order: the words occur anywhere, quoted or nested too."""
    return "order by" in reference_sql.lower()


def spelled_alike(reference: Sequence[Row], predicted: Sequence[Row], *, ordered: bool) -> bool:
    """The evaluator's first test: rows are equal once the cells of each are sorted by their spelling.

    It refuses some results that are equal, because 1 and 1.0 are spelled, and so sorted, differently.
    """
    ours, theirs = map(_spelling_sorted, (reference, predicted))
    return ours == theirs if ordered else set(ours) == set(theirs)


def _spelling_sorted(rows: Sequence[Row]) -> list[Row]:
    return [tuple(sorted(row, key=lambda cell: f"{cell}{type(cell)}")) for row in rows]
