"""Nobody adds to the memory of a run."""

import pytest

from sqlmend.errors import InputError
from sqlmend.memory import Memory, refuse_run


def test_a_run_and_the_memory_in_it_are_refused(tmp_path):
    Memory(tmp_path / "run" / "memory", write=True).close()
    (tmp_path / "run" / "config.json").write_text("{}")
    for path in (
        tmp_path / "run",
        tmp_path / "run" / "memory",
        str(tmp_path / "run" / "x" / ".." / "memory"),
    ):
        with pytest.raises(InputError, match="sqlmend memory export") as caught:
            refuse_run(path)
        assert caught.value.code == "memory_of_a_run"


def test_a_memory_of_ones_own_is_not(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    Memory(tmp_path / "mine", write=True).close()
    refuse_run(tmp_path / "mine")
    refuse_run(tmp_path / "new")
