"""The log against a plain model: whatever happens to it, what is live is what the model says."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule

from sqlmend.memory import Memory, Record
from sqlmend.testing import repair_entry

entries = st.builds(
    lambda polarity, number, text: repair_entry(polarity=polarity, question_id=str(number), question=text),
    st.sampled_from(["positive", "negative"]),
    st.integers(0, 3),
    st.sampled_from(["plain", "\ud83d\ude00\udc80\0\n", "</answer>"]),
)


class MemoryMachine(RuleBasedStateMachine):
    def __init__(self) -> None:
        super().__init__()
        self.root = Path(tempfile.mkdtemp())
        self.folder = self.root / "memory"
        self.memory = Memory(self.folder, write=True)
        self.position = 0
        #: Kind to the ids and positions of its lines, in order; and what is retired.
        self.lines: dict[str, dict[str, int]] = {"positive": {}, "negative": {}}
        self.retired: set[str] = set()

    def teardown(self) -> None:
        self.memory.close()
        shutil.rmtree(self.root)

    def known(self) -> list[str]:
        return [record_id for lines in self.lines.values() for record_id in lines]

    @rule(commit=st.lists(entries, max_size=3))
    def append(self, commit: list) -> None:
        returned = self.memory.append(commit, self.position, {})
        for entry in commit:
            if entry.id not in self.retired:
                self.lines[entry.kind].setdefault(entry.id, self.position)
        assert [record.id for record in returned] == [
            key for key in dict.fromkeys(entry.id for entry in commit) if key not in self.retired
        ]
        self.position += 1

    @precondition(known)
    @rule(data=st.data())
    def retire(self, data: st.DataObject) -> None:
        record_id = data.draw(st.sampled_from(self.known()))
        self.memory.retire(record_id)
        self.retired.add(record_id)

    @precondition(known)
    @rule(data=st.data())
    def purge(self, data: st.DataObject) -> None:
        self.drop({data.draw(st.sampled_from(self.known()))}, self.memory.forget, purge=True)

    @rule(back=st.integers(0, 3))
    def roll_back(self, back: int) -> None:
        self.position = max(0, self.position - back)
        later = {i for lines in self.lines.values() for i, p in lines.items() if p >= self.position}
        assert self.memory.roll_back(self.position) == len(later)
        self.drop(later)

    def drop(self, gone: set[str], action=None, **settings: bool) -> None:
        if action is not None:
            assert action(gone, **settings) == len(gone)
        self.retired -= gone
        self.lines = {
            kind: {i: p for i, p in lines.items() if i not in gone} for kind, lines in self.lines.items()
        }

    @rule(kind=st.sampled_from(["positive", "negative"]), torn=st.sampled_from([b"", b'{"v":1,', b"\0\0"]))
    def crash_and_reopen(self, kind: str, torn: bytes) -> None:
        self.memory.close()
        with (self.folder / f"{kind}.jsonl").open("ab") as file:
            file.write(torn)
        self.memory = Memory(self.folder, write=True)

    @invariant()
    def is_what_the_model_says(self) -> None:
        for memory in (self.memory, Memory(self.folder)):
            view = memory.view(self.position, question_id="x", question="x", db_id="x")
            for kind, lines in self.lines.items():
                live = [(i, p) for i, p in lines.items() if i not in self.retired]
                assert pairs(memory.records(kind)) == live
                assert pairs(view.pool(kind)) == sorted(live, key=lambda pair: (pair[1], pair[0]))


def pairs(records) -> list[tuple[str, int]]:
    return [(record.id, record.position) for record in records if isinstance(record, Record)]


MemoryMachine.TestCase.settings = settings(max_examples=15, stateful_step_count=20, deadline=None)
TestMemoryMachine = MemoryMachine.TestCase
