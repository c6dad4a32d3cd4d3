from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from sqlmend.memory import Memory


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "run" / "memory", write=True) as memory:
        yield memory
