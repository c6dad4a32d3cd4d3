"""The labelled cases: what machines said, its class, which statements must find it and which must not."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from sqlmend.errors import SqlmendError
from sqlmend.memory.notes import BACKENDS

FOLDER = Path(__file__).parents[2] / "cases" / "notes"
TABLES = {backend: json.loads((FOLDER / f"{backend}.json").read_text("utf-8")) for backend in BACKENDS}


def error(facts: dict[str, Any]) -> BaseException:
    """An exception as the driver raises it: its class, its codes and its text."""
    if "code" in facts:
        return SqlmendError(facts["code"], facts["text"])
    arguments = (facts["number"], facts["text"]) if "number" in facts else (facts["text"],)
    made: BaseException = type(facts["type"], (Exception,), {})(*arguments)
    for name in ("sqlstate", "sqlite_errorcode"):
        if name in facts:
            setattr(made, name, facts[name])
    return made
