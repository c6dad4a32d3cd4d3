"""What cards are built from: the episodes of a run, or questions of one's own."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from sqlmend.cli._frame import say
from sqlmend.errors import InputError

if TYPE_CHECKING:
    from sqlmend.databases import Database
    from sqlmend.eval.crystallization import Admission, Candidate, Confirmed

_ROWS = 5


@dataclass(frozen=True)
class CardsSource:
    """Candidates and what is known of them.

    Attributes:
        candidates: The candidates.
        databases: Opens the database of a name.
        origin: What a card's record says of where it comes from.
        judged: Whether an oracle has judged them.
        asked: Ids of the questions that were asked, with a candidate or without.
    """

    candidates: Sequence[Candidate]
    databases: Callable[[str], Database]
    origin: dict[str, Any]
    judged: bool
    asked: frozenset[str] = frozenset()

    def admission(self, text: str | None, seed: int) -> Admission:
        """The admission of its text; None: ``verified``; ``confirmed`` alone asks on the terminal.

        Raises:
            InputError: It is none, needs an oracle that was not there, or a terminal.
        """
        from sqlmend.eval.crystallization import parse_admission

        if not self.judged and (text is None or text.partition(":")[0] not in ("assertions", "confirmed")):
            raise InputError(
                "not_judged",
                f"nobody has judged these queries, so {text or 'verified'} cannot admit any",
                hint="--admit assertions:FILE (checks), confirmed:FILE (ids), or confirmed (asks you)",
            )
        if text == "confirmed":
            return self._confirmed()
        return parse_admission(text or "verified", seed=seed, databases=self.databases, asked=self.asked)

    def _confirmed(self) -> Confirmed:
        """Ask a person, one candidate after the other."""
        from sqlmend.eval.crystallization import Confirmed
        from sqlmend.modules import probe

        if not sys.stdin.isatty():
            raise InputError(
                "no_terminal",
                "confirmed asks for a yes or no on a terminal, and there is none",
                hint="give a file of ids, one a line: --admit confirmed:FILE",
            )
        accepted = []
        for number, candidate in enumerate(self.candidates, 1):
            material = candidate.material
            look = probe(material.sql, self.databases(material.db_id), _ROWS, 0)
            say(f"\n[{number} of {len(self.candidates)}] {material.db_id}: {material.question}", style="bold")
            if material.evidence:
                say(material.evidence)
            say(material.sql)
            say(look.rows or f"{look.execution.status}: {look.execution.error}")
            if click.confirm("Keep it?", err=True):
                accepted.append(candidate.question_id)
        return Confirmed(frozenset(accepted))


def open_source(path: Path, benchmark: str | None, database: str | None, stack: ExitStack) -> CardsSource:
    """The source at a path: a run's folder with its benchmark, or a file of questions with their database.

    Args:
        path: The folder or file.
        benchmark: Where the run's benchmark lies.
        database: The database of the file's questions.
        stack: Closes what is opened.

    Raises:
        InputError: Nothing is there, or what belongs to it is missing or of another kind.
        SqlmendError: The run's files are damaged.
    """
    if path.is_file():
        if database is None or benchmark is not None:
            raise InputError(
                "bad_source",
                f"{path} is a file of questions",
                hint="give their --database, no --benchmark",
            )
        return _of_questions(path, database, stack)
    if not path.exists():
        raise InputError("bad_source", f"{path} is not there", hint="give a run's folder or a JSONL file")
    if benchmark is None or database is not None:
        raise InputError(
            "bad_source",
            f"{path} is a folder, so a run's",
            hint="give its --benchmark, no --database",
        )
    return _of_run(path, benchmark, stack)


def _of_run(folder: Path, spec: str, stack: ExitStack) -> CardsSource:
    from sqlmend.eval.crystallization import SourceRun, candidates

    run = SourceRun.read(folder)
    benchmark = stack.enter_context(run.open_benchmark(spec))
    found = candidates(folder, benchmark, first_try=run.budget == 0)
    origin = {"source": run.program, "benchmark": run.benchmark}
    asked = frozenset(question.id for question in benchmark.questions)
    return CardsSource(found, benchmark.open, origin, judged=True, asked=asked)


def _of_questions(file: Path, target: str, stack: ExitStack) -> CardsSource:
    from sqlmend.databases import open_database
    from sqlmend.eval.crystallization import own_candidates

    database = stack.enter_context(open_database(target))
    # The name that `sqlmend ask` knows the database by.
    found = own_candidates(file, database, Path(target).stem)
    return CardsSource(found, lambda _: database, {"source": "own questions"}, judged=False)
