"""Tables of cases as parameters of a test."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

_FOLDER = Path(__file__).parents[1] / "cases"


def table(name: str) -> list[object]:
    """The rows of ``tests/cases/NAME.json``, each named by its id or its text."""
    rows = json.loads((_FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return [pytest.param(row, id=str(row.get("id") or row.get("sql"))) for row in rows]
