"""What "the same result" means: a registry of named definitions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sqlmend._registry import Registry
from sqlmend.databases import has_top_level
from sqlmend.eval._columns import match_columns
from sqlmend.eval._rows import Row
from sqlmend.eval._spider import official_prediction, official_reference, order_matters, spelled_alike
from sqlmend.eval._tolerance import Snapping, rows_near


class Definition:
    """When a prediction's rows count as the reference's; this one: as a multiset (``bag``).

    Attributes:
        official: It stands for a benchmark's own evaluator, so that departures from it are flagged.
        crashes_on_reference: That evaluator ends with an error when a reference fails.
        one_budget: Both queries together have to keep the time limit.
    """

    official = False
    crashes_on_reference = False
    one_budget = False

    def prediction_text(self, sql: str) -> str:
        """The text that runs for a prediction."""
        return sql

    def reference_text(self, sql: str) -> str:
        """The text that runs for a reference."""
        return sql

    def same(
        self,
        reference: Sequence[Row],
        predicted: Sequence[Row],
        *,
        reference_sql: str,
        tolerance: float | None,
    ) -> bool:
        """Whether the rows are the same under this definition.

        Args:
            reference: The reference's rows.
            predicted: The prediction's rows.
            reference_sql: The text that gave the reference's rows.
            tolerance: Numbers a and b with ``|a - b| <= tolerance * max(1, |a|, |b|)`` are equal;
                None compares plainly.

        Raises:
            SearchLimitError: Undecided within the bound of a search.
        """
        if tolerance is None:
            return len(reference) == len(predicted) and Counter(reference) == Counter(predicted)
        snap = Snapping((reference, predicted), tolerance)
        return rows_near(snap.sorted(reference), snap.sorted(predicted), tolerance)


class Ordered(Definition):
    """``bag``, and the rows in order when the reference has a top-level ORDER BY."""

    def same(
        self,
        reference: Sequence[Row],
        predicted: Sequence[Row],
        *,
        reference_sql: str,
        tolerance: float | None,
    ) -> bool:
        """See ``Definition.same``."""
        if not has_top_level(reference_sql, "ORDER BY"):
            return super().same(reference, predicted, reference_sql=reference_sql, tolerance=tolerance)
        if tolerance is None:
            return list(reference) == list(predicted)
        return rows_near(reference, predicted, tolerance)


class Bird(Definition):
    """BIRD's evaluator: sets of rows, columns in order, one time limit for both queries."""

    official = True
    one_budget = True

    def same(
        self,
        reference: Sequence[Row],
        predicted: Sequence[Row],
        *,
        reference_sql: str,
        tolerance: float | None,
    ) -> bool:
        """See ``Definition.same``."""
        if tolerance is None:
            return set(reference) == set(predicted)
        snap = Snapping((reference, predicted), tolerance)
        return rows_near(snap.distinct(reference), snap.distinct(predicted), tolerance)


@dataclass(frozen=True)
class Spider(Definition):
    """Spider's test-suite evaluator: a multiset of rows under any order of columns.

    Rows are compared in order if the words "order by" occur in the reference. By default every
    DISTINCT is dropped from both queries. The search for an order of columns is bounded: where the
    bound is reached the rows count as different, and the verdict carries ``differs_from_official``.
    """

    keep_distinct: bool = False

    official = True
    crashes_on_reference = True

    def prediction_text(self, sql: str) -> str:
        """See ``Definition.prediction_text``."""
        return official_prediction(sql, keep_distinct=self.keep_distinct)

    def reference_text(self, sql: str) -> str:
        """See ``Definition.reference_text``."""
        return official_reference(sql, keep_distinct=self.keep_distinct)

    def same(
        self,
        reference: Sequence[Row],
        predicted: Sequence[Row],
        *,
        reference_sql: str,
        tolerance: float | None,
    ) -> bool:
        """See ``Definition.same``."""
        if len(reference) != len(predicted):
            return False
        if not reference:
            return True
        if len(reference[0]) != len(predicted[0]):
            return False
        ordered = order_matters(reference_sql)
        if tolerance is None:
            return (
                spelled_alike(reference, predicted, ordered=ordered)
                and match_columns(reference, predicted, ordered=ordered) is not None
            )
        snap = Snapping((reference, predicted), tolerance)
        places = match_columns(
            [snap.row(row) for row in reference], [snap.row(row) for row in predicted], ordered=ordered
        )
        if places is None:
            return False
        predicted = [tuple(row[place] for place in places) for row in predicted]
        if not ordered:
            reference, predicted = snap.sorted(reference), snap.sorted(predicted)
        return rows_near(reference, predicted, tolerance)


BIRD = Bird()
SPIDER = Spider()
SPIDER_KEEP_DISTINCT = Spider(keep_distinct=True)
BAG = Definition()
ORDERED = Ordered()

#: Every definition by name; an unknown name is an ``InputError`` (a ``ValueError``) with near names.
DEFINITIONS: Mapping[str, Definition] = Registry(
    "definition",
    {
        name: f"{__name__}:{name.upper()}"
        for name in ("bird", "spider", "spider_keep_distinct", "bag", "ordered")
    },
)
