"""Files are replaced whole, and nothing but files is replaced."""

import os
from pathlib import Path

import pytest

from sqlmend._files import (
    append_line,
    append_lines,
    canonical_json,
    clear_drafts,
    is_draft,
    sha256_text,
    write_atomic,
)


def test_a_link_stays_and_its_target_is_replaced(tmp_path):
    (tmp_path / "target").write_text("old")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    write_atomic(tmp_path / "link", "new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "target").read_text() == "new"


def test_what_is_no_file_is_refused_and_stays(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    for target in (tmp_path / "pipe", tmp_path):
        with pytest.raises(FileExistsError):
            write_atomic(target, "text")
    assert [item.name for item in tmp_path.iterdir()] == ["pipe"]


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path):
    write_atomic(tmp_path / "file", "old")
    with pytest.raises(UnicodeEncodeError):
        write_atomic(tmp_path / "file", "\udcff")
    assert [(item.name, item.read_text()) for item in tmp_path.iterdir()] == [("file", "old")]


def test_lines_are_canonical_and_appended(tmp_path):
    append_line(tmp_path / "log", {"b": 1, "a": "\udcff"})
    append_line(tmp_path / "log", [])
    assert (tmp_path / "log").read_bytes() == b'{"a":"\\udcff","b":1}\n[]\n'


def test_lines_that_are_appended_together_wait_for_the_disk_once(tmp_path, monkeypatch):
    waits = []
    append_line(tmp_path / "log", "first")
    monkeypatch.setattr(os, "fsync", waits.append)
    append_lines(tmp_path / "log", [{"b": 1, "a": 2}, [], "x"])
    assert (tmp_path / "log").read_bytes() == b'"first"\n{"a":2,"b":1}\n[]\n"x"\n'
    assert len(waits) == 1


def test_a_new_name_is_on_disk_with_its_file(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(os, "fsync", lambda handle: synced.append(os.fstat(handle).st_ino))
    write_atomic(tmp_path / "file", "text")
    append_line(tmp_path / "log", [])
    append_line(tmp_path / "log", [], durable=False)
    log, folder = (tmp_path / "log").stat().st_ino, tmp_path.stat().st_ino
    assert synced == [(tmp_path / "file").stat().st_ino, folder, log, folder]


def test_what_a_kill_inside_a_write_leaves_is_known_and_cleared(tmp_path, monkeypatch):
    def kill(*_):
        raise SystemExit

    monkeypatch.setattr(Path, "replace", kill)
    monkeypatch.setattr(Path, "unlink", kill)
    with pytest.raises(SystemExit):
        write_atomic(tmp_path / "file.json", "new")
    monkeypatch.undo()
    (left,) = tmp_path.iterdir()
    for name in ("file.json", ".file.json", ".file.jsonl.x", ".other.file.json.x"):
        (tmp_path / name).touch()
    assert [item for item in tmp_path.iterdir() if is_draft(item, tmp_path / "file.json")] == [left]
    clear_drafts(tmp_path / "file.json")
    assert len(list(tmp_path.iterdir())) == 4
    assert not left.exists()


def test_equal_values_have_one_text_and_one_hash():
    assert canonical_json({"a": 1, "b": 2}) == canonical_json({"b": 2, "a": 1})
    assert sha256_text("\udcff") != sha256_text("?")
