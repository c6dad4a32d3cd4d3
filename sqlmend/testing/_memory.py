"""What every memory must do, as tests to inherit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from sqlmend.errors import InputError
from sqlmend.memory import Execution, Memory, RepairEntry

_ENTRY = RepairEntry(
    polarity="positive",
    question_id="0",
    question="How many pets are there?",
    db_id="pets_1",
    schema="CREATE TABLE pets (id INTEGER)",
    schema_fingerprint="sha256:0",
    evidence="",
    before=Execution("SELECT count(*) FROM pet", "unknown_table", "no such table: pet"),
    after=Execution("SELECT count(*) FROM pets", "match"),
    delta="table pet -> pets",
    failure_type="schema_linking",
)


def repair_entry(**changes: Any) -> RepairEntry:
    """A plausible repair entry, with some of its fields changed."""
    return replace(_ENTRY, **changes)


class MemoryContract:
    """Contract tests of a memory (contracts 3 and 4 of the design).

    Inherit them in a class that pytest collects, and override :meth:`open_memory` for an
    implementation of your own.
    """

    def open_memory(self, path: Path, *, write: bool = False) -> Memory:
        """Open the memory in the folder ``path``."""
        return Memory(path, write=write)

    def test_entries_come_back_after_reopening(self, tmp_path: Path) -> None:
        """What is appended is what a later reader finds."""
        entries = [repair_entry(), repair_entry(polarity="negative")]
        with self.open_memory(tmp_path / "m", write=True) as memory:
            records = memory.append(entries, 3, {"program": "merit"})
        again = self.open_memory(tmp_path / "m")
        assert [*again.records("positive"), *again.records("negative")] == records
        assert [record.entry for record in records] == entries
        assert {(record.position, record.provenance["program"]) for record in records} == {(3, "merit")}

    def test_appending_twice_changes_no_byte(self, tmp_path: Path) -> None:
        """An id that is there keeps its line and its first position."""
        with self.open_memory(tmp_path / "m", write=True) as memory:
            memory.append([repair_entry()], 3, {"program": "merit"})
            before = contents(tmp_path / "m")
            (record,) = memory.append([repair_entry(), repair_entry()], 8, {"program": "other"})
            assert record.position == 3
            assert contents(tmp_path / "m") == before

    def test_a_retired_entry_stays_retired(self, tmp_path: Path) -> None:
        """Neither appending nor reopening brings it back."""
        with self.open_memory(tmp_path / "m", write=True) as memory:
            (record,) = memory.append([repair_entry()], 0, {})
            memory.retire(record.id)
            assert memory.append([repair_entry()], 1, {}) == []
            assert list(memory.records("positive")) == []
        assert list(self.open_memory(tmp_path / "m").records("positive")) == []

    def test_purging_leaves_no_trace(self, tmp_path: Path) -> None:
        """The memory is as if the entry had never been there."""
        with self.open_memory(tmp_path / "m", write=True) as memory:
            memory.append([repair_entry()], 0, {})
            before = contents(tmp_path / "m")
            (record,) = memory.append([repair_entry(question_id="1")], 1, {})
            memory.retire(record.id)
            assert memory.forget([record.id], purge=True) == 1
        assert contents(tmp_path / "m") == before

    def test_there_is_one_writer(self, tmp_path: Path) -> None:
        """A second writer is refused, readers are not; closing lets the next one in."""
        with self.open_memory(tmp_path / "m", write=True):
            assert refused(lambda: self.open_memory(tmp_path / "m", write=True)).code == "memory_locked"
            self.open_memory(tmp_path / "m")
        self.open_memory(tmp_path / "m", write=True).close()

    def test_a_reader_changes_nothing(self, tmp_path: Path) -> None:
        """It cannot, and opening it leaves every byte, the torn end of a line included."""
        self.open_memory(tmp_path / "m", write=True).close()
        (tmp_path / "m" / "positive.jsonl").write_bytes(b'{"v":1')
        before = contents(tmp_path)
        reader = self.open_memory(tmp_path / "m")
        assert refused(lambda: reader.append([repair_entry()], 0, {})).code == "read_only"
        assert contents(tmp_path) == before

    def test_a_torn_end_is_set_aside(self, tmp_path: Path) -> None:
        """The next writer goes on as if the torn line had never begun."""
        with self.open_memory(tmp_path / "m", write=True) as memory:
            memory.append([repair_entry()], 0, {})
        before = contents(tmp_path / "m")
        log = tmp_path / "m" / "positive.jsonl"
        log.write_bytes(log.read_bytes() + b'{"entry":{"after"')
        with self.open_memory(tmp_path / "m", write=True) as memory:
            assert len(memory.records("positive")) == 1
        assert contents(tmp_path / "m") == before

    def test_other_damage_is_an_error_with_file_and_line(self, tmp_path: Path) -> None:
        """For a reader and a writer alike."""
        with self.open_memory(tmp_path / "m", write=True) as memory:
            memory.append([repair_entry()], 0, {})
            memory.append([repair_entry(question_id="1")], 1, {})
        log = tmp_path / "m" / "positive.jsonl"
        log.write_bytes(log.read_bytes().replace(b"pets", b"cats", 1))
        reading = refused(lambda: self.open_memory(tmp_path / "m"))
        writing = refused(lambda: self.open_memory(tmp_path / "m", write=True))
        assert "positive.jsonl line 1" in reading.message
        assert "positive.jsonl line 1" in writing.message

    def test_a_view_is_causal(self, tmp_path: Path) -> None:
        """An entry is invisible at its own position and visible at the next, to another question."""
        with self.open_memory(tmp_path / "m", write=True) as memory:
            memory.append([repair_entry()], 4, {})

            def visible(position: int, question_id: str) -> int:
                question = f"Question {question_id}?"
                view = memory.view(position, question_id=question_id, question=question, db_id="pets_1")
                return len(view)

            assert [visible(4, "9"), visible(5, "9"), visible(5, "0")] == [0, 1, 0]


def contents(folder: Path) -> dict[str, bytes]:
    """Every file below a folder, by its path in it."""
    return {str(p.relative_to(folder)): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


def refused(action: Callable[[], object]) -> InputError:
    """The error that ``action`` is refused with."""
    try:
        action()
    except InputError as error:
        return error
    raise AssertionError("nothing was refused")
