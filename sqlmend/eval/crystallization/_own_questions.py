"""Candidates of a user's own: questions of one database with the queries that answer them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sqlmend.databases import Database
from sqlmend.errors import InputError
from sqlmend.eval._question_rows import read_rows
from sqlmend.eval.crystallization._candidates import Candidate
from sqlmend.memory import Execution
from sqlmend.modules import FAILURE_TYPES
from sqlmend.modules.cards import Material

_FIELDS = ("question", "sql", "id", "evidence", "wrong")


def own_candidates(file: Path, database: Database, db_id: str, *, timeout_s: float = 30.0) -> list[Candidate]:
    """The rows of a file: ``question`` and ``sql``, where there are any also ``id``, ``evidence``, ``wrong``.

    ``wrong`` lists the queries that were tried before. Everything is run, so that cards can say what the
    machine said; a wrong query that runs is one whose result is not the answer. Nobody judges ``sql``.

    Args:
        file: JSONL, or a JSON list.
        database: Where the questions are asked.
        db_id: Its name, as recall will know it.
        timeout_s: Seconds for each query.

    Raises:
        InputError: A row is something else, an id is there twice, or a ``sql`` does not run.
    """
    found: dict[str, Candidate] = {}
    for number, row in enumerate(read_rows(file)):
        where = f"{file}, question {number}"
        question_id, evidence, wrong = _checked(row, number, where)
        if question_id in found:
            raise InputError("bad_questions", f"{where}: the id {question_id} is there twice")
        tried = [_run(sql, database, timeout_s, wrong=True) for sql in wrong]
        last = _run(row["sql"], database, timeout_s)
        if last.error is not None:
            raise InputError("bad_questions", f"{where}: sql does not run: {last.status}: {last.error}")
        material = Material(
            question_id,
            row["question"],
            evidence,
            db_id,
            database.schema(),
            (*tried, last),
            (*(FAILURE_TYPES[attempt.status] for attempt in tried), ""),
        )
        found[question_id] = Candidate(material, correct=False)
    return list(found.values())


def _checked(row: Any, number: int, where: str) -> tuple[str, str, Sequence[str]]:
    """Id, evidence and wrong queries of a row that is one."""
    if not isinstance(row, Mapping) or not row.keys() <= set(_FIELDS):
        raise InputError("bad_questions", f"{where}: expected an object of {', '.join(_FIELDS)}")
    question_id, evidence, wrong = row.get("id", number), row.get("evidence", ""), row.get("wrong", [])
    texts = [row.get("question"), row.get("sql"), evidence]
    if not all(isinstance(text, str) for text in texts) or not all(text.strip() for text in texts[:2]):
        raise InputError("bad_questions", f"{where}: question and sql must be text; evidence may be")
    if isinstance(question_id, bool) or not isinstance(question_id, str | int):
        raise InputError("bad_questions", f"{where}: id must be text or a whole number")
    if not isinstance(wrong, list) or not all(isinstance(sql, str) for sql in wrong):
        raise InputError("bad_questions", f"{where}: wrong must be a list of queries")
    return str(question_id), evidence, wrong


def _run(sql: str, database: Database, timeout_s: float, *, wrong: bool = False) -> Execution:
    outcome = database.execute(sql, timeout_s=timeout_s)
    status = "mismatch" if wrong and outcome.status == "ok" else outcome.status
    return Execution(sql, status, outcome.error)
