"""Feedback: what runs and judges the attempts of one episode."""

from __future__ import annotations

from sqlmend.databases import Database
from sqlmend.errors import SqlmendError
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
        """Run and judge ``sql``.

        Raises:
            SqlmendError: With code ``reference_failed``: nobody can say what is right here.
        """
        outcome, verdict = self._oracle.observe(self._question.id, self._question.db_id, sql)
        self.verdicts.append(verdict)
        if verdict.outcome == "reference_failed":
            raise SqlmendError(
                "reference_failed", f"the reference of question {self._question.id} cannot be run"
            )
        return Judgement(verdict.outcome, outcome.error, solved=verdict.score == 1)


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
