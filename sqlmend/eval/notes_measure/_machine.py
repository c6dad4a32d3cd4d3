"""Runs what a model wrote for a scenario, where it can do no harm, and says what came of it."""

from __future__ import annotations

from collections import Counter
from contextlib import ExitStack, closing
from dataclasses import dataclass
from types import TracebackType
from typing import Any, Self

from sqlmend.databases import Outcome, rehearse
from sqlmend.errors import SqlmendError
from sqlmend.eval.notes_measure._scenario import Scenario

_TIMEOUT_S = 10.0


@dataclass(frozen=True)
class Ran:
    """What came of a statement.

    Attributes:
        error: What the machine said; None where it ran.
        answers: Whether it did what the task asks.
    """

    error: Exception | Outcome | None
    answers: bool = False


class Machine:
    """The backends of the scenarios, each statement on a database as the scenario's script builds it.

    Writing statements run in a throw-away database in the memory of a sandboxed worker (``rehearse``).
    Reading ones are compiled for a document store that holds the same rows and is started when it is needed.
    """

    def __init__(self) -> None:
        self._stack = ExitStack()
        self._client: Any = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def run(self, scenario: Scenario, sql: str) -> Ran:
        """Run ``sql``, which is not trusted.

        Raises:
            SqlmendError: The backend itself does not work, or an extra is missing.
        """
        return self._written(scenario, sql) if scenario.backend == "sqlite" else self._read(scenario, sql)

    def _written(self, scenario: Scenario, sql: str) -> Ran:
        done = rehearse(scenario.script, sql, [check.sql for check in scenario.checks], timeout_s=_TIMEOUT_S)
        if done.error is not None:
            return Ran(done.error)
        expected = [list(check.rows) for check in scenario.checks]
        return Ran(None, [list(rows) for rows in done.answers] == expected)

    def _read(self, scenario: Scenario, sql: str) -> Ran:
        from sqlmend.databases.document import DocumentDatabase, compile_query

        try:
            compile_query(sql, scenario.schema)
        except SqlmendError as refusal:
            return Ran(refusal)
        outcome = DocumentDatabase(self._mirror(scenario), scenario.schema).execute(sql, timeout_s=_TIMEOUT_S)
        if outcome.status != "ok":
            return Ran(outcome)
        with closing(scenario.build()) as connection:
            expected = connection.execute(scenario.answer).fetchall()
        return Ran(None, Counter(outcome.rows) == Counter(expected))

    def _mirror(self, scenario: Scenario) -> Any:
        """The scenario's rows as documents; reading changes nothing, so that they are written once."""
        from sqlmend.databases.document import embedded_store

        if self._client is None:
            self._client = self._stack.enter_context(embedded_store())
        store = self._client[scenario.database]
        if not store.list_collection_names():
            with closing(scenario.build()) as connection:
                for table in scenario.schema.tables:
                    rows = connection.execute(f"SELECT * FROM {table.name}").fetchall()
                    names = [column.name for column in table.columns]
                    store[table.name].insert_many(dict(zip(names, row, strict=True)) for row in rows)
        return store
