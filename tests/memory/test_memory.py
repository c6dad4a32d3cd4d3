from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sqlmend.errors import InputError
from sqlmend.memory import Memory, _line, _memory
from sqlmend.testing import MemoryContract, repair_entry


class TestMemory(MemoryContract):
    """The contract that every memory keeps."""


def ids(folder: Path, kind: str = "positive") -> list[str]:
    return [record.entry.question_id for record in Memory(folder).records(kind)]


def test_a_new_memory_is_empty_logs(folder: Path, snapshot) -> None:
    with Memory(folder, write=True) as memory:
        assert list(memory.records("positive")) == []
    assert snapshot(folder) == {"negative.jsonl": b"", "positive.jsonl": b""}


def test_the_log_is_lines_of_canonical_json(folder: Path) -> None:
    with Memory(folder, write=True) as memory:
        memory.append([repair_entry(question="naïve\n")], 0, {"program": "merit"})
    text = (folder / "positive.jsonl").read_bytes().decode("ascii")
    assert text.endswith("}\n")
    assert text.count("\n") == 1
    assert list(json.loads(text)) == sorted(json.loads(text))


def test_a_commit_becomes_visible_together_or_not_at_all(
    filled: Path, snapshot, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second line meets a full disk half-way."""
    before = snapshot(filled)
    written = []

    def fail_later(path: Path, lines: object) -> None:
        if written:
            with path.open("ab") as file:
                file.write(b'{"torn')
            raise OSError(28, "No space left on device")
        written.append(lines)
        path.open("ab").write(b"{}\n")

    with Memory(filled, write=True) as memory:
        monkeypatch.setattr(_memory, "append_lines", fail_later)
        with pytest.raises(OSError, match="No space"):
            memory.append([repair_entry(delta="a"), repair_entry(polarity="negative", delta="a")], 9, {})
        assert len(memory.records("positive")) == 5
        assert snapshot(filled) == before
        monkeypatch.undo()
        assert len(memory.append([repair_entry(delta="a")], 9, {})) == 1


def test_an_unknown_kind_is_refused_before_anything_is_written(filled: Path, snapshot) -> None:
    class Dream:
        id, kind, question_id, question, db_id = "x", "dream", "1", "Q", "d"

        def to_dict(self) -> dict[str, str]:
            return {}

    before = snapshot(filled)
    with Memory(filled, write=True) as memory:
        with pytest.raises(InputError, match="unknown memory kind 'dream'"):
            memory.append([repair_entry(delta="a"), Dream()], 9, {})  # type: ignore[list-item]
        with pytest.raises(InputError, match="position must be"):
            memory.append([repair_entry(delta="a")], -2, {})
        with pytest.raises(TypeError):
            memory.append([repair_entry(delta="a")], 9, {"time": object()})
        with pytest.raises(InputError, match="unknown memory kind"):
            memory.records("dream")
    assert snapshot(filled) == before


def test_forgetting_writes_a_tombstone_and_keeps_the_line(filled: Path) -> None:
    lines = (filled / "positive.jsonl").read_text().splitlines()
    with Memory(filled, write=True) as memory:
        record = memory.records("positive")[1]
        assert memory.forget([record.id, record.id]) == 1
        assert memory.forget([record.id]) == 0
        assert record not in memory.view(9, question_id="x", question="x", db_id="x").pool("positive")
    tombstone = f'{{"retired":"{record.id}","v":1}}'
    assert (filled / "positive.jsonl").read_text().splitlines() == [*lines, tombstone]
    assert ids(filled) == ["0", "2", "3", "4"]


def test_a_view_does_not_change(filled: Path) -> None:
    with Memory(filled, write=True) as memory:
        view = memory.view(9, question_id="x", question="x", db_id="x")
        memory.forget([record.id for record in memory.records("positive")])
        memory.append([repair_entry(polarity="negative", delta="a")], 2, {})
        assert len(view) == 6
        assert len(view.pool("positive")) == 5


def test_nothing_is_forgotten_where_an_id_is_unknown(filled: Path, snapshot) -> None:
    before = snapshot(filled)
    with Memory(filled, write=True) as memory:
        known = memory.records("positive")[0].id
        for purge in (False, True):
            with pytest.raises(InputError, match="no record nothing, else in") as caught:
                memory.forget([known, "nothing", "else"], purge=purge)
            assert caught.value.code == "unknown_record"
    assert snapshot(filled) == before


def test_purging_removes_every_trace(filled: Path, folder: Path) -> None:
    with (folder / "negative.jsonl").open("a") as file:
        file.write('{"entry": "secret, torn')
    with Memory(filled, write=True) as memory:
        assert b"secret" in (folder.parent / ".memory.aside").read_bytes()
        gone = [memory.records("positive")[2], memory.records("negative")[0]]
        memory.retire(gone[0].id)
        assert memory.forget([record.id for record in gone], purge=True) == 2
        assert [len(memory.records(kind)) for kind in ("positive", "negative")] == [4, 0]
        everything = b"".join(path.read_bytes() for path in folder.parent.rglob("*") if path.is_file())
        assert b"secret" not in everything
        assert not any(record.id.encode() in everything for record in gone)
        (back,) = memory.append([gone[0].entry], 7, {})
        assert back.position == 7


def test_rolling_back_gives_the_memory_of_that_moment(folder: Path, snapshot) -> None:
    states = []
    with Memory(folder, write=True) as memory:
        memory.append([repair_entry(delta="imported")], -1, {})
        for position in range(4):
            states.append(snapshot(folder))
            entries = [repair_entry(delta=str(position)), repair_entry(polarity="negative", delta="x")]
            memory.append(entries, position, {})
        assert memory.roll_back(4) == 0
        for position in (3, 1, 0):
            assert memory.roll_back(position) >= 1
            assert snapshot(folder) == states[position]
            assert len(memory.view(9, question_id="x", question="x", db_id="x")) == 1 + position + (
                position > 0
            )
    aside = [json.loads(line) for line in (folder.parent / ".memory.aside").read_text().splitlines()]
    assert [line["file"] for line in aside].count("positive.jsonl") == 4
    assert json.loads(aside[0]["text"])["position"] == 3


def test_rolling_back_does_not_bring_back_what_was_forgotten(filled: Path) -> None:
    with Memory(filled, write=True) as memory:
        memory.retire(memory.records("positive")[1].id)
        memory.roll_back(3)
    assert ids(filled) == ["0", "2"]


def test_an_interrupted_commit_is_completed_by_doing_it_again(folder: Path, tmp_path: Path, snapshot) -> None:
    commit = [repair_entry(), repair_entry(polarity="negative")]
    with Memory(folder, write=True) as memory:
        memory.append(commit, 0, {})
    log = folder / "negative.jsonl"
    os.truncate(log, log.stat().st_size // 2)
    with Memory(folder, write=True) as memory:
        memory.append(commit, 0, {})
    with Memory(tmp_path / "undisturbed", write=True) as memory:
        memory.append(commit, 0, {})
    assert snapshot(folder) == snapshot(tmp_path / "undisturbed")


def test_a_commit_waits_for_the_disk_once_for_each_log(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both before what was written is visible."""
    visible = []
    with Memory(folder, write=True) as memory:
        monkeypatch.setattr(os, "fsync", lambda _: visible.append(len(memory.records("positive"))))
        polarities = ("positive", "negative") * 20
        memory.append([repair_entry(polarity=p, delta=str(n)) for n, p in enumerate(polarities)], 0, {})
        assert visible == [0, 0]
        memory.forget([record.id for record in memory.records("positive")])
        assert visible == [0, 0, 20]


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9])
def test_a_commit_that_was_killed_inside_its_write_is_completed_to_the_byte(
    folder: Path, share: float, snapshot
) -> None:
    commit = [repair_entry(delta=str(number)) for number in range(9)]
    with Memory(folder, write=True) as memory:
        memory.append(commit, 0, {})
    whole, log = snapshot(folder), folder / "positive.jsonl"
    os.truncate(log, int(log.stat().st_size * share))
    with Memory(folder, write=True) as memory:
        assert 0 <= len(memory.records("positive")) < 9
        assert len(memory.append(commit, 0, {})) == 9
    assert snapshot(folder) == whole


@given(cut=st.integers(min_value=0), junk=st.binary(max_size=20).filter(lambda data: b"\n" not in data))
@settings(max_examples=40)
def test_any_torn_end_is_set_aside(tmp_path_factory: pytest.TempPathFactory, cut: int, junk: bytes) -> None:
    folder = tmp_path_factory.mktemp("torn") / "memory"
    with Memory(folder, write=True) as memory:
        memory.append([repair_entry()], 0, {})
        memory.append([repair_entry(delta="last")], 1, {})
    log = folder / "positive.jsonl"
    whole = log.read_bytes()
    first = whole.index(b"\n") + 1
    kept = first + cut % (len(whole) - first)
    log.write_bytes(whole[:kept] + junk)
    torn = log.read_bytes()
    assert len(Memory(folder).records("positive")) == 1
    assert log.read_bytes() == torn
    with Memory(folder, write=True) as memory:
        assert len(memory.records("positive")) == 1
    assert log.read_bytes() == whole[:first]
    if torn != whole[:first]:
        (aside,) = (folder.parent / ".memory.aside").read_text().splitlines()
        assert json.loads(aside)["text"].encode("utf-8", "surrogateescape") == torn[first:]


def test_a_last_line_of_garbage_is_torn_too(filled: Path, caplog: pytest.LogCaptureFixture) -> None:
    with (filled / "positive.jsonl").open("ab") as file:
        file.write(b"\0\0\0\0\n")
    Memory(filled)
    assert not caplog.records
    Memory(filled, write=True).close()
    assert "positive.jsonl line 6 is set aside: not a JSON object" in caplog.text


@pytest.mark.parametrize(
    "text",
    ["garbage\n" + "{}" + "\n", "\n\n", '{"v":1}\n', '{"id":"x","v":1}\n{"torn'],
    ids=["garbage before a line", "empty lines", "well-formed last line", "before a torn end"],
)
def test_other_damage_is_refused_and_left_alone(filled: Path, snapshot, text: str) -> None:
    with (filled / "negative.jsonl").open("a") as file:
        file.write(text)
    before = snapshot(filled)
    for write in (False, True):
        with pytest.raises(InputError, match=r"negative\.jsonl line 2: ") as caught:
            Memory(filled, write=write)
        assert caught.value.context == {"file": str(filled / "negative.jsonl"), "line": 2}
        assert "check --fix" in str(caught.value.hint)
    assert snapshot(filled) == before


def test_a_newer_format_is_refused_with_file_and_line(filled: Path) -> None:
    with (filled / "positive.jsonl").open("a") as file:
        file.write('{"v":99,"shape":"unheard of"}\n')
    with pytest.raises(InputError, match=r"positive\.jsonl line 6: format 99 is newer") as caught:
        Memory(filled, write=True)
    assert caught.value.code == "newer_format"


def test_forgetting_outlasts_a_migration(filled: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Tombstones of the old format name old ids, those of the new one name new ids."""
    with Memory(filled, write=True) as memory:
        memory.retire(memory.records("positive")[0].id)

    def rename(line: dict) -> dict:
        return {**line, "entry": {**line["entry"], "evidence": "new"}} if "entry" in line else line

    monkeypatch.setattr(_line, "MIGRATIONS", [rename])
    assert ids(filled) == ["1", "2", "3", "4"]
    with Memory(filled, write=True) as memory:
        memory.retire(memory.records("positive")[0].id)
    assert ids(filled) == ["2", "3", "4"]
    with Memory(filled, write=True) as memory:
        memory.forget(list(memory._retired), purge=True)
    assert (filled / "positive.jsonl").read_text().count("\n") == 3


def test_opening_what_is_no_memory(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").touch()
    for write in (False, True):
        with pytest.raises(InputError) as caught:
            Memory(tmp_path, write=write)
        assert caught.value.code == "no_memory"
    with pytest.raises(InputError):
        Memory(tmp_path / "missing")
    assert not (tmp_path / "missing").exists()


def test_a_log_of_an_unknown_kind_is_refused(filled: Path) -> None:
    (filled / "positiv.jsonl").touch()
    with pytest.raises(InputError, match="unknown memory kind 'positiv'") as caught:
        Memory(filled)
    assert caught.value.hint == "did you mean positive?"


def test_what_a_killed_rewrite_left_is_cleared(filled: Path, snapshot) -> None:
    before = snapshot(filled)
    (filled / ".positive.jsonl.x7s").write_text("half")
    Memory(filled).close()
    assert snapshot(filled) != before
    Memory(filled, write=True).close()
    assert snapshot(filled) == before
