"""Files are replaced whole, and nothing but files is replaced."""

import os

import pytest

from sqlmend._files import append_line, canonical_json, sha256_text, write_atomic


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


def test_equal_values_have_one_text_and_one_hash():
    assert canonical_json({"a": 1, "b": 2}) == canonical_json({"b": 2, "a": 1})
    assert sha256_text("\udcff") != sha256_text("?")
