"""One prediction against one reference."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

from sqlmend.databases import Database, Outcome, lint, open_database
from sqlmend.errors import InputError
from sqlmend.eval._columns import SearchLimitError
from sqlmend.eval._definitions import DEFINITIONS, Definition
from sqlmend.eval._reference import Denotation, denote
from sqlmend.eval._rows import holds_undecodable_text
from sqlmend.eval._texts import has_stray_semicolon, volatile
from sqlmend.eval._verdict import Verdict

# What the official evaluators run and we refuse, and what only a limit of ours, or theirs, stopped.
_UNOFFICIAL = frozenset(("denied", "multi_statement", "no_statement", "timeout", "too_large"))


def judge(
    predicted: str,
    reference: str,
    db: Database | str | Path | Sequence[Database | str | Path],
    *,
    definition: str = "bird",
    float_tolerance: float | None = None,
    timeout_s: float = 30.0,
    max_rows: int = 1_000_000,
) -> Verdict:
    """Whether a predicted query gives the result of a reference query.

    Args:
        predicted: SQL, not a model's whole answer (see ``extract_sql``).
        reference: The query that is right.
        db: A database, a path to one, or a list of them: then the prediction has to match on all.
        definition: ``bird``, ``spider``, ``spider_keep_distinct``, ``bag`` or ``ordered``.
        float_tolerance: Numbers a and b with ``|a - b| <= t * max(1, |a|, |b|)`` are equal, rows being
            paired after sorting; None compares plainly.
        timeout_s: Seconds that one query may take; under ``bird``, that both may take together.
        max_rows: Rows that one query may give.

    Raises:
        ValueError: An unknown definition, a negative tolerance, no database, or a limit that is not positive.
        SqlmendError: A path that is no database.
    """
    bench = Judge(DEFINITIONS[definition], float_tolerance, timeout_s, max_rows)
    with ExitStack() as opened:
        databases: list[Database] = []
        for target in [db] if isinstance(db, Database | str | Path) else db:
            if isinstance(target, str | Path):
                databases.append(open_database(target))
                opened.callback(databases[-1].close)
            else:
                databases.append(target)
        return bench.verdict(predicted, databases, lambda place: bench.denote(reference, databases[place]))


@dataclass(frozen=True)
class Judge:
    """How predictions are judged: a definition, its tolerance and the limits of one execution.

    Args:
        definition: What "the same result" means.
        float_tolerance: See ``judge``.
        timeout_s: See ``judge``.
        max_rows: See ``judge``.

    Raises:
        ValueError: A tolerance that is negative or no number.
    """

    definition: Definition
    float_tolerance: float | None = None
    timeout_s: float = 30.0
    max_rows: int = 1_000_000

    def __post_init__(self) -> None:
        tolerance = self.float_tolerance
        if tolerance is not None and not (math.isfinite(tolerance) and tolerance >= 0):
            raise InputError(
                "bad_tolerance", f"float_tolerance must be None or at least 0; got {tolerance!r}"
            )

    def run(self, sql: str, database: Database) -> Outcome:
        """Run a text within the limits."""
        return database.execute(sql, timeout_s=self.timeout_s, max_rows=self.max_rows)

    def denote(self, reference: str, database: Database) -> Denotation:
        """Run a reference; the result serves any number of verdicts."""
        return denote(self.definition.reference_text(reference), lambda sql: self.run(sql, database))

    def verdict(
        self,
        predicted: str,
        databases: Sequence[Database],
        denotation: Callable[[int], Denotation],
        observed: Outcome | None = None,
    ) -> Verdict:
        """The verdict on a prediction; it has to match on every database.

        Args:
            predicted: SQL as predicted.
            databases: At least one.
            denotation: The reference's result on one of them, by its place.
            observed: What the prediction, as written, gave on the first of them, if it ran already.
        """
        if not databases:
            raise InputError("no_database", "a verdict needs at least one database; got none")
        text = self.definition.prediction_text(predicted)
        flags = set(volatile(text))
        result = "match"
        for place, database in enumerate(databases):
            reference = denotation(place)
            known = observed if place == 0 and text == predicted else None
            outcome = self.run(text, database) if known is None else known
            result, more = self._compare(predicted, outcome, reference)
            flags.update(reference.flags, more)
            if result != "match":
                break
        return Verdict(result, tuple(flags), lint(predicted, databases[0].schema()), len(databases))

    def _compare(self, predicted: str, outcome: Outcome, reference: Denotation) -> tuple[str, set[str]]:
        """The outcome of the verdict on one database, and the flags of this pair."""
        flags = {"differs_from_official"} if self._departs(predicted, outcome, reference) else set()
        if outcome.status != "ok":
            return outcome.status, flags
        if reference.outcome.status != "ok":
            return "reference_failed", flags
        if not outcome.rows and not reference.outcome.rows:
            flags.add("both_empty")
        same = self._same(outcome, reference, self.float_tolerance)
        plain = same if self.float_tolerance is None else self._same(outcome, reference, None)
        too_slow = self.definition.one_budget and (
            outcome.elapsed_s + reference.outcome.elapsed_s > self.timeout_s
        )
        if self.definition.official and (same is None or same != plain or too_slow):
            flags.add("differs_from_official")
        if too_slow:
            return "timeout", flags
        return "match" if same else "mismatch", flags

    def _same(self, outcome: Outcome, reference: Denotation, tolerance: float | None) -> bool | None:
        """Whether the rows are the same; None where the search for an order of columns gave up."""
        try:
            return self.definition.same(
                reference.outcome.rows, outcome.rows, reference_sql=reference.sql, tolerance=tolerance
            )
        except SearchLimitError:
            return None

    def _departs(self, predicted: str, outcome: Outcome, reference: Denotation) -> bool:
        """Whether we are stricter or safer here than the official evaluator, before any row is compared."""
        if not self.definition.official:
            return False
        statuses = {outcome.status, reference.outcome.status}
        return (
            not _UNOFFICIAL.isdisjoint(statuses)
            or has_stray_semicolon(predicted)
            or has_stray_semicolon(reference.sql)
            or (self.definition.crashes_on_reference and reference.outcome.status != "ok")
            or (statuses == {"ok"} and (reference.undecodable or holds_undecodable_text(outcome.rows)))
        )
