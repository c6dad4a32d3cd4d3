from __future__ import annotations

import json
from pathlib import Path

import pytest

from sqlmend.errors import InputError
from sqlmend.memory import Memory, check_memory


def damage(folder: Path) -> None:
    """Line 2 gets another question, a torn end follows."""
    log = folder / "positive.jsonl"
    log.write_bytes(log.read_bytes().replace(b"Q 1", b"Q 9") + b'{"torn \xff')


def test_a_sound_memory(filled: Path, snapshot) -> None:
    with Memory(filled, write=True) as memory:
        memory.retire(memory.records("positive")[0].id)
    before = snapshot(filled.parent)
    report = check_memory(filled)
    assert report.ok
    assert report.damage == ()
    assert report.live == {"positive": 4, "negative": 1}
    assert report.retired == {"positive": 1, "negative": 0}
    assert snapshot(filled.parent) == before
    logs = snapshot(filled)
    check_memory(filled, fix=True)
    assert snapshot(filled) == logs


def test_all_damage_is_reported_and_nothing_touched(filled: Path, snapshot) -> None:
    damage(filled)
    before = snapshot(filled.parent)
    report = check_memory(filled)
    assert not report.ok
    assert [(found.file.name, found.number, found.torn) for found in report.damage] == [
        ("positive.jsonl", 2, False),
        ("positive.jsonl", 6, True),
    ]
    assert report.live == {"positive": 4, "negative": 1}
    assert snapshot(filled.parent) == before


def test_fixing_sets_the_damaged_lines_aside(filled: Path) -> None:
    whole = (filled / "positive.jsonl").read_bytes().splitlines(keepends=True)
    damage(filled)
    report = check_memory(filled, fix=True)
    assert report.ok
    assert report.fixed
    assert len(report.damage) == 2
    assert (filled / "positive.jsonl").read_bytes() == b"".join(whole[:1] + whole[2:])
    aside = [json.loads(line) for line in (filled.parent / ".memory.aside").read_text().splitlines()]
    assert [line["line"] for line in aside] == [2, 6]
    assert "Q 9" in aside[0]["text"]
    assert aside[1]["text"].encode("utf-8", "surrogateescape") == b'{"torn \xff'
    assert check_memory(filled).damage == ()


def test_a_damaged_line_writes_nothing_to_the_terminal(
    filled: Path, caplog: pytest.LogCaptureFixture
) -> None:
    log = filled / "positive.jsonl"
    planted = {"v": 1, "\x1b]0;PWN\x07": 1}
    log.write_text(json.dumps(planted) + "\n" + log.read_text())
    report = check_memory(filled, fix=True)
    (warning,) = caplog.messages
    for text in (warning, report.damage[0].message, report.damage[0].error().message):
        assert "\x1b" not in text
        assert "got '\\x1b]0;PWN\\x07', v" in text


def test_fixing_needs_the_lock(filled: Path) -> None:
    with Memory(filled, write=True), pytest.raises(InputError) as caught:
        check_memory(filled, fix=True)
    assert caught.value.code == "memory_locked"


def test_a_newer_format_is_not_fixed_away(filled: Path, snapshot) -> None:
    (filled / "negative.jsonl").write_text('{"v":99}\n')
    before = snapshot(filled)
    with pytest.raises(InputError, match="format 99 is newer"):
        check_memory(filled, fix=True)
    assert snapshot(filled) == before


def test_no_memory_stays_none(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="is no memory"):
        check_memory(tmp_path, fix=True)
    assert list(tmp_path.parent.glob(f".{tmp_path.name}*")) == []
