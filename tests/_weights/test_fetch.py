from __future__ import annotations

import threading
from collections import namedtuple
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sqlmend._weights import Pin, fetch, present
from sqlmend._weights import _fetch as module
from sqlmend.errors import SqlmendError


@pytest.fixture(autouse=True)
def no_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def test_parts_become_the_file(pin: Pin, shelf: Any, content: bytes, tmp_path: Path) -> None:
    seen: list[tuple[int, int]] = []
    path = fetch(pin, folder=tmp_path, download=shelf, progress=lambda done, of: seen.append((done, of)))
    assert path.read_bytes() == content
    assert shelf.asked == [1, 2, 3]
    assert seen == sorted(seen) and seen[-1] == (2560, 2560)
    assert present(pin, tmp_path) == path
    assert [path.name for path in tmp_path.glob("[!.]*")] == ["toy.bin"]


def test_a_file_that_is_there_is_not_fetched_again(pin: Pin, shelf: Any, tmp_path: Path) -> None:
    fetch(pin, folder=tmp_path, download=shelf)
    fetch(pin, folder=tmp_path, download=shelf)
    assert shelf.asked == [1, 2, 3]


def test_a_checked_file_is_not_read_again(
    pin: Pin, shelf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fetch(pin, folder=tmp_path, download=shelf)
    monkeypatch.setattr(module, "sha256_file", lambda path: pytest.fail("read again"))
    fetch(pin, folder=tmp_path, download=shelf)


def test_goes_on_with_the_part_that_failed(pin: Pin, shelf: Any, content: bytes, tmp_path: Path) -> None:
    shelf.failing = {3}
    with pytest.raises(SqlmendError, match=r"toy\.bin could not be fetched.*mirror: out of reach") as caught:
        fetch(pin, folder=tmp_path, download=shelf)
    assert caught.value.code == "weights_unavailable"
    assert present(pin, tmp_path) is None
    shelf.failing = set()
    assert fetch(pin, folder=tmp_path, download=shelf).read_bytes() == content
    assert shelf.asked == [1, 2, 3, 3]


def test_a_part_written_in_pieces_is_cut_back_to_a_boundary(
    pin: Pin, shelf: Any, content: bytes, tmp_path: Path
) -> None:
    (tmp_path / ".toy.bin.part").write_bytes(content[:1234])
    assert fetch(pin, folder=tmp_path, download=shelf).read_bytes() == content
    assert shelf.asked == [2, 3]


def test_a_spoilt_start_is_fetched_anew(pin: Pin, shelf: Any, content: bytes, tmp_path: Path) -> None:
    (tmp_path / ".toy.bin.part").write_bytes(b"x" * 1500)
    assert fetch(pin, folder=tmp_path, download=shelf).read_bytes() == content
    assert shelf.asked == [2, 3, 1, 2, 3]


def test_another_content_never_gets_the_name(pin: Pin, shelf: Any, tmp_path: Path) -> None:
    shelf.content = b"\0" * pin.bytes
    with pytest.raises(SqlmendError, match="another sha256"):
        fetch(pin, folder=tmp_path, download=shelf)
    assert not (tmp_path / "toy.bin").exists()
    assert not (tmp_path / ".toy.bin.part").exists()


@pytest.mark.parametrize("size", [2400, 2700])
def test_a_part_of_another_size_is_refused(pin: Pin, shelf: Any, tmp_path: Path, size: int) -> None:
    shelf.content = bytes(size)
    with pytest.raises(SqlmendError, match="the bytes that were expected"):
        fetch(pin, folder=tmp_path, download=shelf)


def test_a_file_put_there_by_hand_is_checked(pin: Pin, shelf: Any, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "toy.bin").write_bytes(content)
    fetch(pin, folder=tmp_path, download=shelf)
    assert shelf.asked == []
    (tmp_path / "toy.bin").write_bytes(content[::-1])
    with pytest.raises(SqlmendError, match="is not the file that is pinned") as caught:
        fetch(pin, folder=tmp_path, download=shelf)
    assert caught.value.code == "weights_damaged"


def test_one_of_several_fetches(pin: Pin, shelf: Any, tmp_path: Path) -> None:
    threads = [
        threading.Thread(target=fetch, args=(pin,), kwargs={"folder": tmp_path, "download": shelf})
        for _ in range(4)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert shelf.asked == [1, 2, 3]


def test_a_full_disk_is_said_before_anything_is_fetched(
    pin: Pin, shelf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    usage = namedtuple("usage", "total used free")
    monkeypatch.setattr(module.shutil, "disk_usage", lambda path: usage(10, 10, 0))
    with pytest.raises(SqlmendError, match="needs 3,560 bytes"):
        fetch(pin, folder=tmp_path, download=shelf)
    assert shelf.asked == []


def test_a_folder_that_cannot_be_made(pin: Pin, shelf: Any, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(SqlmendError, match="cannot be written"):
        fetch(pin, folder=tmp_path / "file" / "weights", download=shelf)


def test_default_folder_is_below_the_home(
    pin: Pin, shelf: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SQLMEND_HOME", str(tmp_path))
    assert fetch(pin, download=shelf) == tmp_path / "weights" / "toy.bin"


def test_no_source_at_all(pin: Pin, tmp_path: Path) -> None:
    with pytest.raises(SqlmendError, match="HF_HUB_OFFLINE"):
        fetch(replace(pin, mirror=None), folder=tmp_path)
