"""DSPy programs for text-to-SQL that repair their own failures and remember how."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

# Imported on first use: `import sqlmend` must not wait for dspy, chromadb or datasets.
_EXPORTS = {
    "SqlmendError": "sqlmend.errors",
    "InputError": "sqlmend.errors",
    "Outcome": "sqlmend.databases",
    "Schema": "sqlmend.databases",
    "open_database": "sqlmend.databases",
    "extract_sql": "sqlmend.databases",
    "canonical": "sqlmend.databases",
    "shape": "sqlmend.databases",
    "judge": "sqlmend.eval",
    "Verdict": "sqlmend.eval",
    "load_benchmark": "sqlmend.eval",
    "load_program": "sqlmend.programs",
    "load_lm": "sqlmend.models",
    "Memory": "sqlmend.memory",
    "FailureNotes": "sqlmend.memory.notes",
}
_PACKAGES = (
    "databases",
    "memory",
    "retrievers",
    "models",
    "modules",
    "programs",
    "eval",
    "optimize",
    "errors",
)

__all__ = ["__version__", *_EXPORTS]  # noqa: PLE0604 - the keys are strings


def __getattr__(name: str) -> Any:
    if name in _EXPORTS:
        return getattr(importlib.import_module(_EXPORTS[name]), name)
    if name in _PACKAGES:
        return importlib.import_module(f"sqlmend.{name}")
    raise AttributeError(f"module 'sqlmend' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*__all__, *_PACKAGES])
