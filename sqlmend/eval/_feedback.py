"""Feedback: what runs and judges the attempts of one episode."""

from __future__ import annotations

from collections.abc import Callable

from sqlmend.databases import Database, Outcome
from sqlmend.eval._oracle import Oracle
from sqlmend.eval._verdict import Verdict
from sqlmend.programs import Judgement, Question


class OracleFeedback:
    """Judges against the reference of one question; the oracle ends the episode.

    Args:
        oracle: Holds the references.
        question: Whose attempts are judged.

    Attributes:
        verdicts: The verdict of every attempt so far; for the stream alone.
    """

    def __init__(self, oracle: Oracle, question: Question) -> None:
        self._oracle = oracle
        self._question = question
        self.verdicts: list[Verdict] = []

    def __call__(self, sql: str) -> Judgement:
        """Run and judge ``sql``."""
        outcome, verdict = self._oracle.observe(self._question.id, self._question.db_id, sql)
        self.verdicts.append(verdict)
        return Judgement(
            verdict.outcome,
            _error(verdict.outcome, outcome),
            solved=verdict.score == 1,
            undecidable=verdict.outcome == "reference_failed",
        )


def _error(judged: str, outcome: Outcome) -> str | None:
    """The DBMS's text that goes with the status judged.

    A definition may judge a derived text, or both queries' time together: then the outcome of the query
    as written says something else, and its text would mislead.
    """
    if judged in ("match", "mismatch", "reference_failed"):
        return None
    if judged == outcome.status:
        return outcome.error
    return f"under the definition of a match the query ended in {judged}"


class ExecutionFeedback:
    """Accepts every query that runs: for questions whose right answer nobody knows.

    Args:
        database: Where the queries run.
        timeout_s: Seconds for each of them.
        max_rows: More rows than this are ``too_large``.
    """

    def __init__(self, database: Database, *, timeout_s: float = 30.0, max_rows: int = 1_000_000) -> None:
        self._database = database
        self._timeout_s = timeout_s
        self._max_rows = max_rows

    def __call__(self, sql: str) -> Judgement:
        """Run ``sql``."""
        outcome = self._database.execute(sql, timeout_s=self._timeout_s, max_rows=self._max_rows)
        return Judgement(outcome.status, outcome.error, solved=outcome.status == "ok")


class PersonFeedback:
    """Asks a person about every query that runs: for questions of a user's own database.

    Args:
        database: Where the queries run.
        judge: Told the query and what came of it; whether that is right, None where the person cannot say.
        timeout_s: Seconds for each query.

    Attributes:
        undecided: Whether the person could not say it of some query.
    """

    def __init__(
        self, database: Database, judge: Callable[[str, Outcome], bool | None], *, timeout_s: float = 30.0
    ) -> None:
        self._database = database
        self._judge = judge
        self._timeout_s = timeout_s
        self._said: dict[str, Judgement] = {}
        self.undecided = False

    def __call__(self, sql: str) -> Judgement:
        """Run ``sql`` and ask, once for equal texts; a query that nobody can judge is accepted."""
        if sql not in self._said:
            self._said[sql] = self._ask(sql)
        return self._said[sql]

    def _ask(self, sql: str) -> Judgement:
        outcome = self._database.execute(sql, timeout_s=self._timeout_s)
        if outcome.status != "ok":
            return Judgement(outcome.status, outcome.error, solved=False)
        right = self._judge(sql, outcome)
        if right is None:
            self.undecided = True
            return Judgement("ok", None, solved=True)
        return Judgement("match" if right else "mismatch", None, solved=right)
