from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from sqlmend.errors import InputError
from sqlmend.memory import Memory

HOLD = """
import sys
from sqlmend.memory import Memory
memory = Memory(sys.argv[1], write=True)
print(flush=True)
sys.stdin.read()
"""


def test_a_second_writer_of_this_process_is_refused(folder: Path) -> None:
    with Memory(folder, write=True), pytest.raises(InputError, match="this process is writing") as caught:
        Memory(folder, write=True)
    assert caught.value.code == "memory_locked"
    assert caught.value.hint


def test_another_path_to_the_same_memory_is_the_same_lock(folder: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(folder)
    with Memory(folder, write=True), pytest.raises(InputError, match="is writing"):
        Memory(tmp_path / "link", write=True)


def test_a_killed_writer_leaves_no_lock(folder: Path) -> None:
    holder = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    with holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(InputError, match=f"process {holder.pid} is writing"):
            Memory(folder, write=True)
        os.kill(holder.pid, signal.SIGKILL)
        holder.wait()
        Memory(folder, write=True).close()


def test_a_failed_opening_leaves_no_lock(folder: Path) -> None:
    Memory(folder, write=True).close()
    log = folder / "positive.jsonl"
    log.write_text("damage\n\n")
    with pytest.raises(InputError, match="line 1"):
        Memory(folder, write=True)
    log.write_text("")
    Memory(folder, write=True).close()


def test_the_lock_lies_beside_the_memory(folder: Path) -> None:
    with Memory(folder, write=True):
        assert sorted(path.name for path in folder.iterdir()) == ["negative.jsonl", "positive.jsonl"]
        assert (folder.parent / ".memory.lock").exists()


def test_where_nothing_can_be_locked(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(InputError) as caught:
        Memory(tmp_path / "file" / "memory", write=True)
    assert caught.value.code == "memory_not_writable"
