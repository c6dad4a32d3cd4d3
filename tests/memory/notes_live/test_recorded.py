"""Errors that real servers raised once, replayed where no server is: with their code, and as text alone."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from sqlmend.errors import SqlmendError
from tests.memory.notes_live.conftest import SCHEMA

ROWS = json.loads((Path(__file__).parents[2] / "cases" / "notes" / "real_errors.json").read_text("utf-8"))
CASES = [pytest.param(row, id=f"{row['backend']}: {row['name']}") for row in ROWS]


def raised(row: dict[str, Any]) -> BaseException:
    """An error of the same name with the same text and the driver's own field for the code."""
    if isinstance(row["code"], str) and row["backend"] == "document":  # the compiler's
        return SqlmendError(row["code"], row["text"])
    error = type(row["exception"], (Exception,), {})(row["text"])
    field = {"sqlite": "sqlite_errorcode", "postgres": "sqlstate"}.get(row["backend"], "code")
    if row["code"] is not None:
        setattr(error, field, row["code"])
    return error


@pytest.mark.parametrize("row", CASES)
def test_class_by_code(row, noted):
    assert noted(row["sql"], row["backend"], raised(row)).error_class == row["class"]


@pytest.mark.parametrize("row", CASES)
def test_class_by_text_alone(row, notes):
    """A text says less: of a rule of SQLite its own words, which may even be those of a constraint."""
    notes.record(row["sql"], SCHEMA, backend=row["backend"], error=row["text"])
    note = notes.lookup(row["sql"], SCHEMA, backend=row["backend"])
    assert note.error_class == row.get("class_by_text", row["class"])
