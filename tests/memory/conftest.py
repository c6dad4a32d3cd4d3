from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from sqlmend.memory import Memory
from sqlmend.testing import repair_entry


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where a test's memory lies, in a folder of its own."""
    return tmp_path / "run" / "memory"


@pytest.fixture
def filled(folder: Path) -> Path:
    """A memory of five positives and a negative, positions 0 to 5."""
    with Memory(folder, write=True) as memory:
        for position in range(5):
            memory.append([repair_entry(question_id=str(position), question=f"Q {position}")], position, {})
        memory.append([repair_entry(polarity="negative", question_id="5", question="Q 5")], 5, {})
    return folder


@pytest.fixture
def snapshot() -> Callable[[Path], dict[str, bytes]]:
    """Every file below a folder, by its path in it."""
    return lambda root: {
        str(path.relative_to(root)): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()
    }
