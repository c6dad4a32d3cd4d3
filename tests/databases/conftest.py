"""Databases made for a test, and what lies beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from sqlmend.databases._pool import pool

CASES = Path(__file__).parents[1] / "cases"

Build = Callable[..., Path]
Requests = Callable[..., list[tuple[str, float]]]


@pytest.fixture
def build(tmp_path: Path) -> Build:
    """Make a database file from a script, alone in a folder of its own."""

    def make(script: str, name: str = "data.sqlite", folder: str = "databases") -> Path:
        path = tmp_path / folder / name
        path.parent.mkdir(exist_ok=True)
        connection = sqlite3.connect(path)
        connection.executescript(f"BEGIN; {script}; COMMIT;")
        connection.close()
        return path

    return make


@pytest.fixture
def city(build: Build) -> Path:
    """The database of the shared cases."""
    return build((CASES / "fixture.sql").read_text(encoding="utf-8"))


@pytest.fixture
def files() -> Callable[[Path], dict[str, bytes]]:
    """Names and bytes of all files in a folder."""
    return lambda folder: {path.name: path.read_bytes() for path in folder.rglob("*")}


@pytest.fixture
def requests(monkeypatch: pytest.MonkeyPatch) -> Requests:
    """Note what workers are asked from now on: operation and seconds; ``first`` hears of each beforehand."""

    def watch(first: Callable[[str], object] = str) -> list[tuple[str, float]]:
        noted: list[tuple[str, float]] = []
        call = pool().call

        def noting(request: tuple[Any, ...], limit_s: float, *, database: str) -> tuple[Any, ...]:
            first(request[0])
            noted.append((request[0], limit_s))
            return call(request, limit_s, database=database)

        monkeypatch.setattr(pool(), "call", noting)
        return noted

    return watch
