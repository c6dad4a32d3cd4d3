from __future__ import annotations

import logging
from pathlib import Path

import numpy as np
import pytest

from sqlmend.retrievers._vectors import VectorStore


def vectors(*names: str) -> dict[str, np.ndarray]:
    return {
        name: np.random.default_rng(sum(name.encode())).normal(size=8).astype(np.float32) for name in names
    }


def test_vectors_come_back_bit_for_bit(tmp_path: Path) -> None:
    VectorStore(tmp_path / "v").update({"positive": vectors("a", "b")})
    found = VectorStore(tmp_path / "v").load()
    assert found.keys() == {"positive"}
    assert found["positive"].keys() == {"a", "b"}
    for name, vector in vectors("a", "b").items():
        assert found["positive"][name].dtype == np.float32
        assert np.array_equal(found["positive"][name], vector)


def test_adding_twice_and_dropping(tmp_path: Path) -> None:
    store = VectorStore(tmp_path / "v")
    store.update({"positive": vectors("a", "b")})
    store.update({"positive": vectors("b", "c")}, stale={"positive": ["a", "unknown"]})
    assert store.load()["positive"].keys() == {"b", "c"}


def test_loading_creates_nothing(tmp_path: Path) -> None:
    assert VectorStore(tmp_path / "v").load() == {}
    assert not (tmp_path / "v").exists()


@pytest.mark.parametrize("content", [b"garbage" * 1000, b"", None])
def test_a_damaged_database_is_dropped(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, content: bytes | None
) -> None:
    store = VectorStore(tmp_path / "v")
    store.update({"positive": vectors("a")})
    file = tmp_path / "v" / "chroma.sqlite3"
    if content is None:
        file.unlink()
    else:
        file.write_bytes(content)
    with caplog.at_level(logging.WARNING):
        assert store.load().get("positive", {}) == {}
    store.update({"positive": vectors("b")})
    assert store.load()["positive"].keys() == {"b"}


def test_damaged_vectors_are_dropped(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    store = VectorStore(tmp_path / "v")
    store.update({"positive": vectors(*(f"v{i}" for i in range(1001)))})  # beyond 1,000 Chroma writes files
    files = list((tmp_path / "v").glob("*/*.bin"))
    assert files
    for file in files:
        file.write_bytes(b"\xff" * 100)
    with caplog.at_level(logging.WARNING):
        assert store.load().get("positive", {}) == {}
    assert "damaged" in caplog.text
    store.update({"positive": vectors("b")})
    assert store.load()["positive"].keys() == {"b"}


def test_nothing_is_written_elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    home, work = tmp_path / "home", tmp_path / "work"
    home.mkdir()
    work.mkdir()
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.chdir(work)
    VectorStore(tmp_path / "v").update({"positive": vectors("a")})
    assert not list(home.iterdir()) and not list(work.iterdir())
