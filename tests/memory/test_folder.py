from __future__ import annotations

from pathlib import Path

import pytest

from sqlmend.errors import InputError
from sqlmend.memory import memory_folder


def test_a_run_and_its_memory_are_the_same_memory(filled: Path) -> None:
    assert memory_folder(filled.parent) == filled
    assert memory_folder(str(filled)) == filled


def test_other_folders_are_none(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path, tmp_path / "missing", tmp_path / "file"):
        with pytest.raises(InputError, match="no memory in") as caught:
            memory_folder(path)
        assert caught.value.hint
