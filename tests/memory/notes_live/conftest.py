"""Real failures of real databases, and the notes that they leave."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sqlmend.memory.notes import FailureNotes, Note
from tests.memory.notes_live.postgres import NoServerError, server

CASES = Path(__file__).parents[2] / "cases" / "notes_live"
SCHEMA = {
    "accounts": {"id": "integer", "owner": "text", "balance": "numeric"},
    "ledger": {"id": "integer", "account_id": "integer", "amount": "numeric"},
    "orders": {"id": "integer", "account_id": "integer", "status": "text"},
}

Noted = Callable[[str, str, BaseException], Note]


def cases(name: str) -> list[Any]:
    """The cases of a backend, named."""
    rows = json.loads((CASES / f"{name}.json").read_text("utf-8"))
    return [pytest.param(row, id=row["name"]) for row in rows]


def script(name: str) -> str:
    """The SQL script of a backend."""
    return (CASES / f"{name}.sql").read_text("utf-8")


@pytest.fixture
def notes(tmp_path: Path) -> Iterator[FailureNotes]:
    """Notes of this test alone."""
    with FailureNotes(tmp_path / "notes.jsonl") as opened:
        yield opened


@pytest.fixture
def noted(notes: FailureNotes) -> Noted:
    """Records a failure and looks it up: the note that it left."""

    def record(sql: str, backend: str, error: BaseException) -> Note:
        notes.record(sql, SCHEMA, backend=backend, error=error)
        assert notes.flush()
        note = notes.lookup(sql, SCHEMA, backend=backend)
        assert note is not None
        assert note.score == 1.0
        return note

    return record


@pytest.fixture(scope="session")
def postgres_folder() -> Iterator[str]:
    """The socket's folder of a running PostgreSQL."""
    pytest.importorskip("psycopg", reason="needs psycopg, which is not installed")
    context = server()
    try:
        folder = context.__enter__()
    except NoServerError as error:
        pytest.skip(str(error))
    try:
        yield folder
    finally:
        context.__exit__(None, None, None)
