"""Admission without an oracle: the user's executable checks, or a person's yes."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from sqlmend._files import canonical_json, sha256_text
from sqlmend.databases import statements
from sqlmend.errors import InputError
from sqlmend.eval.crystallization._candidates import Candidate
from sqlmend.programs._yaml import parse_yaml

if TYPE_CHECKING:
    from sqlmend.databases import Database

#: What a check may meet because the candidate is wrong; anything else is a mistake in the check.
_OF_THE_CANDIDATE = ("unknown_column", "ambiguous_column", "type_mismatch", "timeout", "too_large")


@dataclass(frozen=True)
class Assertions:
    """Executable checks: all those of a question must hold, and there must be one.

    A check is a query whose one value is true or false (NULL is false). It reads the candidate's result as
    the table ``result``, beside the tables of the database; both run in the database's sandbox.

    Attributes:
        checks: Question id to its checks.
        databases: Opens the database of a name.
        asked: Ids of the questions that were asked, beside the candidates': those may have checks too.
    """

    kind: ClassVar[str] = "assertions"
    checks: Mapping[str, Sequence[str]]
    databases: Callable[[str], Database]
    asked: Collection[str] = ()

    @classmethod
    def read(
        cls, file: Path, databases: Callable[[str], Database], asked: Collection[str] = ()
    ) -> Assertions:
        """The checks of a YAML or JSON file: an object of question id to one query or a list of queries.

        An id is what is written: ``007`` is no 7. One that stands twice is an error.

        Args:
            file: The file.
            databases: Opens the database of a name.
            asked: Ids of the questions that were asked, whether they have a candidate or not.

        Raises:
            InputError: It cannot be read, or is something else.
        """
        data = parse_yaml(_text(file), str(file), ids=True)  # JSON is YAML
        if not data:
            raise _bad(file, "expected an object of question id to SQL checks")
        checks = {}
        for key, value in data.items():
            listed = [value] if isinstance(value, str) else value
            if not isinstance(listed, list) or not listed or not all(isinstance(sql, str) for sql in listed):
                raise _bad(file, f"the checks of question {key} must be SQL, one or a list")
            checks[key] = tuple(listed)
        return cls(checks, databases, asked)

    @property
    def name(self) -> str:
        """``assertions:`` and the hash of the checks."""
        content = canonical_json({key: list(checks) for key, checks in self.checks.items()})
        return f"assertions:{sha256_text(content)[:16]}"

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those whose result fulfils all checks of their question.

        Raises:
            InputError: A check cannot run, whatever the candidate, or its question was not asked.
        """
        _refuse_unknown("checked", self.checks, candidates, self.asked)
        return [candidate for candidate in candidates if self._passes(candidate)]

    def _passes(self, candidate: Candidate) -> bool:
        checks = self.checks.get(candidate.question_id, ())
        database = self.databases(candidate.material.db_id)
        sql = candidate.material.sql
        # As written first: what runs alone is one statement, and no text that could end the brackets below.
        if not checks or database.execute(sql).status != "ok":
            return False
        (result,) = statements(sql)
        return all(_holds(candidate, check, result, database) for check in checks)


@dataclass(frozen=True)
class Confirmed:
    """Accepted by a person.

    Attributes:
        ids: The questions whose candidate was accepted.
        asked: Ids of the questions that were asked, beside the candidates'.
    """

    kind: ClassVar[str] = "confirmed"
    name: ClassVar[str] = "confirmed"
    ids: frozenset[str]
    asked: Collection[str] = ()

    @classmethod
    def read(cls, file: Path, asked: Collection[str] = ()) -> Confirmed:
        """The ids of a text file, one a line.

        Args:
            file: The file.
            asked: Ids of the questions that were asked, whether they have a candidate or not.

        Raises:
            InputError: It cannot be read.
        """
        return cls(frozenset(filter(None, map(str.strip, _text(file).splitlines()))), asked)

    def admit(self, candidates: Sequence[Candidate]) -> list[Candidate]:
        """Those of the accepted questions.

        Raises:
            InputError: An id is none of a question that was asked.
        """
        _refuse_unknown("confirmed", self.ids, candidates, self.asked)
        return [candidate for candidate in candidates if candidate.question_id in self.ids]


def _refuse_unknown(
    what: str, ids: Iterable[str], candidates: Sequence[Candidate], asked: Collection[str]
) -> None:
    """Refuse ids that nobody asked; a question that was right at first has no candidate, and may be named."""
    if unknown := sorted(set(ids) - {candidate.question_id for candidate in candidates} - set(asked)):
        raise InputError(
            "unknown_question",
            f"{what}, but not asked: {', '.join(unknown[:5])}",
            hint="name only questions that were asked",
        )


def _holds(candidate: Candidate, check: str, result: str, database: Database) -> bool:
    outcome = database.execute(_over(result, check))
    if outcome.status in _OF_THE_CANDIDATE:
        return False
    if outcome.status != "ok" and database.execute(_over(result, check, "LIMIT 0")).status == "ok":
        return False  # it runs, but not over the candidate's values
    if outcome.status != "ok" or len(outcome.rows) != 1 or len(outcome.rows[0]) != 1:
        what = (
            outcome.error
            or f"it gave {len(outcome.rows)} rows of {len(outcome.columns)} columns, not one value"
        )
        raise InputError("bad_assertion", f"a check of question {candidate.question_id}: {what}: {check}")
    value = outcome.rows[0][0]
    return isinstance(value, int | float) and value != 0


def _over(result: str, check: str, limit: str = "") -> str:
    """A check over a candidate's result, which the check alone knows as ``result``.

    The candidate may read a table of that name; so it stands outside, under a name that neither text has.
    """
    name = "candidate"
    while name in f"{result} {check}".lower():
        name += "_"
    seen = f"WITH result AS (SELECT * FROM {name} {limit}) SELECT * FROM (\n{check}\n)"
    return f"WITH {name} AS (\n{result}\n) SELECT * FROM ({seen})"


def _text(file: Path) -> str:
    try:
        return file.read_bytes().decode("utf-8-sig")
    except OSError as error:
        raise _bad(file, f"cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise _bad(file, f"is no UTF-8: {error.reason}") from error


def _bad(file: Path, what: str) -> InputError:
    return InputError("bad_admission", f"{file}: {what}")
