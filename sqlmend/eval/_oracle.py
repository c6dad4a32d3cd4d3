"""The oracle: the only holder of reference queries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NoReturn

from sqlmend.databases import Database, Outcome
from sqlmend.errors import InputError
from sqlmend.eval._definitions import DEFINITIONS
from sqlmend.eval._judge import Judge
from sqlmend.eval._reference import Denotation
from sqlmend.eval._results import ReferenceResults
from sqlmend.eval._sealed import SealedReferences
from sqlmend.eval._verdict import Verdict


class Oracle:
    """Judges predictions against references that nobody else sees.

    Neither its attributes nor its ``repr`` show a reference or a row of its result, and it cannot be
    pickled or copied. A reference runs once for each database file, and its result is kept in memory.

    Thread-safe.

    Args:
        references: Question id to reference SQL.
        databases: Database name to its database, or to several that a prediction has to match on.
        definition: Name of a definition of "the same result", see ``judge``.
        float_tolerance: See ``judge``.
        timeout_s: Seconds that one query may take.
        max_rows: Rows that one query may give.
        cache_bytes: How much of the references' rows is kept in memory, about.

    Attributes:
        definition: The definition's name.

    Raises:
        ValueError: An unknown definition or a negative tolerance.
    """

    def __init__(
        self,
        references: Mapping[str, str],
        databases: Mapping[str, Database | Sequence[Database]],
        *,
        definition: str,
        float_tolerance: float | None = None,
        timeout_s: float = 30.0,
        max_rows: int = 1_000_000,
        cache_bytes: int = 256 << 20,
    ) -> None:
        self.definition = definition
        self._judge = judge = Judge(DEFINITIONS[definition], float_tolerance, timeout_s, max_rows)
        self._databases = databases
        self._references = sealed = SealedReferences(references)
        results = ReferenceResults(cache_bytes)

        # A closure, so that what walks over attributes finds a function and no rows.
        def denotation(question_id: str, db_id: str, place: int, database: Database) -> Denotation:
            reference = sealed.reveal()[question_id]
            return results.get((reference, db_id, place), lambda: judge.denote(reference, database))

        self._denotation = denotation

    def judge(self, question_id: str, db_id: str, sql: str) -> Verdict:
        """The verdict on one prediction.

        Args:
            question_id: Whose reference it is judged against.
            db_id: The database that it runs on.
            sql: SQL as predicted.

        Raises:
            InputError: An unknown question or database.
        """
        return self._verdict(question_id, db_id, sql, None)

    def observe(self, question_id: str, db_id: str, sql: str) -> tuple[Outcome, Verdict]:
        """What the prediction as written came to (on the first database), and the verdict on it.

        It runs once, unless the definition judges a derived text.

        Raises:
            InputError: An unknown question or database.
        """
        outcome = self._judge.run(sql, self._files(db_id)[0])
        return outcome, self._verdict(question_id, db_id, sql, outcome)

    def _verdict(self, question_id: str, db_id: str, sql: str, observed: Outcome | None) -> Verdict:
        files = self._files(db_id)
        if question_id not in self._references.reveal():
            raise InputError("unknown_question", f"there is no reference for question {question_id!r}")
        return self._judge.verdict(
            sql, files, lambda place: self._denotation(question_id, db_id, place, files[place]), observed
        )

    def _files(self, db_id: str) -> Sequence[Database]:
        try:
            found = self._databases[db_id]
        except KeyError:
            raise InputError("unknown_database", f"there is no database {db_id!r}") from None
        return found if isinstance(found, Sequence) else [found]

    def __repr__(self) -> str:
        return f"<Oracle {self.definition}: {len(self._references.reveal())} references>"

    def __reduce__(self) -> NoReturn:
        raise TypeError("an oracle is not pickled or copied: references stay where they are")
