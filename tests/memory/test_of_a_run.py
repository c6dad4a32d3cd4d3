"""Nobody adds to the memory of a run."""

import pytest

from sqlmend.errors import InputError
from sqlmend.eval.crystallization._folder import CONFIG
from sqlmend.memory import Memory, is_of_a_run, require_own


def test_a_run_and_the_memory_in_it_are_refused(tmp_path):
    Memory(tmp_path / "run" / "memory", write=True).close()
    for name in ("config.json", "steps.jsonl"):
        (tmp_path / "run" / name).write_text("{}\n")
    assert is_of_a_run(tmp_path / "run" / "memory")
    for path in (
        tmp_path / "run",
        tmp_path / "run" / "memory",
        str(tmp_path / "run" / "x" / ".." / "memory"),
    ):
        with pytest.raises(InputError, match="sqlmend memory export") as caught:
            require_own(path)
        assert caught.value.code == "memory_of_a_run"


@pytest.mark.parametrize("bank", ["bank", "banks/k-1/seed42"])
def test_a_bank_of_a_study_is_refused(tmp_path, bank):
    folder = tmp_path / "cry" / bank
    folder.parent.mkdir(parents=True)
    Memory(folder, write=True).close()
    folder.with_name(f"{folder.name}.json").write_text("{}")
    require_own(folder)  # a file beside it, and no study
    (tmp_path / "cry" / CONFIG).write_text("{}")
    with pytest.raises(InputError, match="sqlmend cards export") as caught:
        require_own(folder)
    assert caught.value.code == "memory_of_a_study"
    require_own(tmp_path / "cry" / "mine")


def test_a_memory_of_ones_own_is_not(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    Memory(tmp_path / "mine", write=True).close()
    require_own(tmp_path / "mine")
    require_own(tmp_path / "new")


@pytest.mark.parametrize(
    ("name", "beside"),
    [
        ("memory", ()),
        ("memory", ("config.json",)),
        ("memory", ("steps.jsonl", "episodes.jsonl")),
        ("mine", ("config.json", "steps.jsonl")),
    ],
)
def test_a_memory_among_other_files_is_not_one_of_a_run(tmp_path, name, beside):
    Memory(tmp_path / name, write=True).close()
    for file in beside:
        (tmp_path / file).write_text("{}\n")
    assert not is_of_a_run(tmp_path / name)
    require_own(tmp_path / name)
    require_own(tmp_path)
